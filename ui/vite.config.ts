/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The content security policy allows files of our own and nothing else: no inline script, no
// inline style, no data URI for scripts or fonts. These options keep Vite from making any.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  // Testing Library mounts components as a browser would
  ...(process.env.VITEST ? { resolve: { conditions: ["browser"] } } : {}),
  server: { host: "127.0.0.1", port: 1420, strictPort: true },
  build: {
    target: ["chrome123", "safari18"],
    outDir: "dist",
    emptyOutDir: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { input: ["index.html", "dialog.html"] },
  },
  test: {
    environment: "jsdom",
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
  },
});
