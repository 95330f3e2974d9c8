import type { RequestView } from "./RequestView";
export type DialogView = { nonce: string, request: RequestView, typedWord: string | null, pairedAt: number, inertMillis: number, behind: number, language: string, theme: string, };
