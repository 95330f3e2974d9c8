// The dialog's page for a choice of what to do: what is safe is chosen at first, what isn't takes its own name.
import { mockIPC } from "@tauri-apps/api/mocks";
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import Dialog from "../src/Dialog.svelte";
import type { DialogView } from "../src/lib/bindings/DialogView";
import { Consent } from "../src/lib/consent.svelte";
import * as samples from "./samples";

async function open(of: (now: number) => DialogView["request"], over: Partial<DialogView> = {}) {
  const calls: [string, Record<string, unknown>][] = [];
  const now = Date.now();
  const view = samples.dialog(now, of(now), { inertMillis: 10, ...over });
  mockIPC((cmd, args) => {
    calls.push([cmd, (args ?? {}) as Record<string, unknown>]);
    return cmd === "dialog_view" ? structuredClone(view) : null;
  }, { shouldMockEvents: true });
  const consent = new Consent();
  render(Dialog, { consent });
  await consent.start();
  await awake();
  return { consent, user: userEvent.setup(), named: (cmd: string) => calls.filter(([name]) => name === cmd).map(([, given]) => given) };
}

const awake = () => waitFor(() => expect(screen.getByTestId("dialog")).toHaveAttribute("data-awake", "true"));
const option = (value: string) => screen.getAllByTestId<HTMLInputElement>("dialog-option").find((one) => one.dataset.value === value)!;
const deploy = (over: Partial<DialogView> = {}) => open(samples.deployment, { safeOptions: ["preview", "staging"], ...over });

test("the safe environment that is proposed is chosen and has the focus, and takes no word", async () => {
  const { user, named } = await deploy();
  expect(option("staging")).toBeChecked();
  expect(option("staging")).toHaveFocus();
  expect(screen.queryByTestId("dialog-typed")).toBeNull();
  await user.keyboard("{Enter}");
  expect(named("dialog_yes"), "Enter says nothing").toEqual([]);
  await awake();
  await user.click(screen.getByRole("button", { name: /^Deploy to staging:/ }));
  expect(named("dialog_yes")).toMatchObject([{ answers: { "confirm-target-env": "staging" }, typed: null }]);
});

test("a protected one takes its own name, typed after it was chosen, and a second from then on", async () => {
  const { user, named } = await deploy();
  await user.click(option("production"));
  expect(named("dialog_ignored"), "the app counts the second too").toHaveLength(1);
  await awake();
  const yes = screen.getByRole("button", { name: /^Deploy to production:/ });
  expect(yes).toHaveAttribute("aria-disabled", "true");
  await user.click(yes);
  await user.type(screen.getByTestId("dialog-typed"), "staging");
  await awake();
  await user.click(yes);
  expect(named("dialog_yes")).toEqual([]);
  await user.clear(screen.getByTestId("dialog-typed"));
  await user.type(screen.getByTestId("dialog-typed"), "production");
  await user.click(option("preview"));
  expect(screen.queryByTestId("dialog-typed")).toBeNull();
  await user.click(option("production"));
  expect(screen.getByTestId("dialog-typed"), "what was typed before counts no more").toHaveValue("");
  await user.type(screen.getByTestId("dialog-typed"), "production");
  await awake();
  await user.click(screen.getByTestId("dialog-yes"));
  expect(named("dialog_yes")).toMatchObject([{ answers: { "confirm-target-env": "production" }, typed: "production" }]);
});

test("without a safe proposal nothing is chosen, the no has the focus, and it answers nothing", async () => {
  const { user, named } = await deploy({ safeOptions: ["preview"] });
  expect(screen.getAllByTestId<HTMLInputElement>("dialog-option").some((one) => one.checked)).toBe(false);
  expect(screen.getByTestId("dialog-no")).toHaveFocus();
  await user.click(screen.getByTestId("dialog-yes"));
  await awake();
  expect(named("dialog_yes")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Don’t deploy" }));
  expect(named("dialog_no")).toMatchObject([{ answers: {} }]);
});

test("a review that the person wanted says so, and trusting takes the word", async () => {
  const { user, named } = await open(samples.trust, { typedWord: "trust", pairedAt: null });
  expect(screen.getByTestId("dialog")).toHaveTextContent("Countersign, at your own wish");
  expect(screen.getByTestId("dialog-no")).toHaveFocus();
  await user.type(screen.getByTestId("dialog-typed"), "trust");
  await awake();
  await user.click(screen.getByRole("button", { name: /^Trust:/ }));
  expect(named("dialog_yes")).toMatchObject([{ answers: { "confirm-trust": true }, typed: "trust" }]);
});
