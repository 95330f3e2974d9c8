import { emit } from "@tauri-apps/api/event";
import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, test } from "vitest";
import { choice, open, settledTitle } from "./app";

async function go(app: Awaited<ReturnType<typeof open>>, key: string) {
  await app.user.keyboard(`{Control>}${key}{/Control}`);
  await waitFor(() => expect(location.hash).not.toBe(""));
  await tick();
}

test("Ctrl and a number change the screen; ? lists the keys", async () => {
  const app = await open([choice("r1")]);
  await go(app, "3");
  await waitFor(() => screen.getByTestId("agents"));
  await go(app, "5");
  await waitFor(() => screen.getByTestId("settings"));
  await go(app, "1");
  await waitFor(() => screen.getByTestId("detail"));
  await app.user.keyboard("?");
  expect(screen.getByRole("dialog")).toHaveTextContent("Pick an option");
  await app.user.keyboard("1");
  expect(screen.getAllByTestId("option").some((one) => (one as HTMLInputElement).checked)).toBe(false);
});

test("a code is digits only, spaces or not, and a wrong one is said beside it", async () => {
  const app = await open([]);
  await go(app, "3");
  const card = within((await waitFor(() => screen.getAllByTestId("arrival")))[0]!);
  expect(card.getByTestId("arrival-accept")).toBeDisabled();
  await app.user.click(card.getByTestId("arrival-code"));
  await app.user.paste(" 418 20-7 ");
  expect(card.getByTestId("arrival-code")).toHaveValue("418207");
  app.refuse.accept_arrival = { code: "wrong_code", message: "That isn’t the code." };
  await app.user.keyboard("{Enter}");
  await waitFor(() => expect(card.getByRole("alert")).toHaveTextContent("That isn’t the code."));
  app.refuse.accept_arrival = undefined;
  await app.user.click(card.getByTestId("arrival-accept"));
  expect(app.named("accept_arrival").at(-1)).toEqual({ id: "p1", code: "418207", scopes: ["ask", "specs", "folders"] });
  await app.user.click(within(screen.getAllByTestId("arrival")[1]!).getByTestId("arrival-refuse"));
  expect(app.named("refuse_arrival")).toEqual([{ id: "p2" }]);
});

test("a program is paired with the scopes that are checked, by keyboard too, and folders say which", async () => {
  const app = await open([]);
  await go(app, "3");
  const card = within((await waitFor(() => screen.getAllByTestId("arrival")))[0]!);
  const group = within(card.getByRole("group", { name: "May" }));
  const [ask, specs, folders] = group.getAllByRole("checkbox");
  for (const box of [ask, specs, folders]) expect(box).toBeChecked();
  expect(folders).toHaveAccessibleName("Work in folders other than payments-api");
  expect(folders).toHaveAccessibleDescription("Otherwise only there and in the folders beneath.");
  await app.user.click(folders!);
  specs!.focus();
  await app.user.keyboard(" ");
  expect([ask, specs, folders].map((box) => (box as HTMLInputElement).checked)).toEqual([true, false, false]);
  await app.user.type(card.getByTestId("arrival-code"), "418207{Enter}");
  expect(app.named("accept_arrival")).toEqual([{ id: "p1", code: "418207", scopes: ["ask"] }]);
  const terminal = within(screen.getAllByTestId("arrival")[1]!);
  expect(terminal.queryByTestId("scopes")).toBeNull();
});

test("a program without a folder of its own can't be kept to one, and the card says why", async () => {
  const app = await open([]);
  await go(app, "3");
  const { arrivals } = app.desk.arrivals;
  await app.emit("arrivals", { arrivals: [{ ...arrivals[0]!, own: null }], closedUntil: null });
  const folders = screen.getByRole("checkbox", { name: "Work in any folder" });
  expect(folders).toBeChecked();
  expect(folders).toBeDisabled();
  expect(folders).toHaveAccessibleDescription(/named no folder of its own/);
});

test("what a paired agent may do is changed at once, box by box, and a refusal turns the box back", async () => {
  const app = await open([]);
  await go(app, "3");
  const agents = await waitFor(() => screen.getAllByTestId("agent"));
  expect(within(agents[0]!).queryByTestId("withheld")).toBeNull();
  expect(within(agents[1]!).getByTestId("withheld")).toHaveTextContent("May not: Change specs · Work in folders other than course-builder");
  await app.user.click(within(agents[0]!).getByRole("button", { name: "Permissions Claude Code" }));
  const box = (name: RegExp) => within(screen.getByRole("group", { name: "What Claude Code may do" })).getByRole("checkbox", { name });
  expect(box(/Ask you/)).toHaveFocus();
  await app.user.keyboard(" ");
  expect(app.named("set_scopes")).toEqual([{ id: "a1", scopes: ["specs", "folders"] }]);
  await waitFor(() => expect(within(agents[0]!).getByTestId("withheld")).toHaveTextContent("May not: Ask you"));
  app.refuse.set_scopes = { code: "store", message: "The disk is full." };
  await app.user.click(box(/folders other/));
  await waitFor(() => expect(screen.getByTestId("alert")).toHaveTextContent("The disk is full."));
  expect(box(/folders other/)).toBeChecked();
  await app.user.click(screen.getByTestId("scopes-close"));
  expect(screen.queryByRole("group", { name: "What Claude Code may do" })).toBeNull();
});

test("the code field takes the focus, and never from somebody who types or is asked something", async () => {
  const app = await open([]);
  await go(app, "3");
  const card = (id: string) => ({ id, kind: "pairing", name: [{ kind: "text", text: id }], program: null, pid: null, folder: null, expiresAt: Date.now() + 90_000, own: null, resembles: null });
  const arrive = (...ids: string[]) => app.emit("arrivals", { arrivals: ids.map(card), closedUntil: null });
  await arrive();
  await arrive("p7");
  expect(screen.getByTestId("arrival-code")).toHaveFocus();
  await app.user.keyboard("418");
  await arrive("p6", "p7");
  expect(screen.getAllByTestId("arrival-code")[1]).toHaveFocus();
  expect(screen.getAllByTestId("arrival-code")[1]).toHaveValue("418");
  await app.user.click(screen.getAllByTestId("unpair")[0]!);
  await arrive("p5", "p6", "p7");
  expect(screen.getByTestId("unpair-keep")).toHaveFocus();
});

test("what is said of a code whose card went meanwhile is said on the screen", async () => {
  const app = await open([]);
  await go(app, "3");
  const card = within((await waitFor(() => screen.getAllByTestId("arrival")))[0]!);
  await app.user.type(card.getByTestId("arrival-code"), "418207");
  app.refuse.accept_arrival = { code: "not_found", message: "It waits no more." };
  await app.user.keyboard("{Enter}");
  await app.emit("arrivals", { arrivals: [], closedUntil: null });
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("It waits no more."));
  expect(screen.queryByTestId("arrival")).toBeNull();
});

test("the command to pair with is named as a terminal finds it, and is copied", async () => {
  const app = await open([], { arrivals: { arrivals: [], closedUntil: null }, status: { command: "'/opt/my app/countersign'" } });
  const line = "'/opt/my app/countersign' pair --name my-agent";
  await waitFor(() => expect(screen.getByTestId("command")).toHaveTextContent(line));
  let marked = "";
  document.execCommand = () => Boolean((marked = String(getSelection())));
  await app.user.click(screen.getByTestId("copy"));
  expect(marked).toBe(line);
  expect(screen.getByText("Copied")).toBeInTheDocument();
  await go(app, "3");
  await waitFor(() => expect(screen.getByTestId("command")).toHaveTextContent(line));
});

test("closed pairing says until when and takes no code", async () => {
  const app = await open([]);
  await go(app, "3");
  const arrivals = { arrivals: [{ id: "p1", kind: "pairing", name: [{ kind: "text", text: "x" }], program: null, pid: null, folder: null, own: null, expiresAt: Date.now() + 9000 }], closedUntil: Date.now() + 250_000 };
  await app.emit("arrivals", arrivals);
  expect(screen.getByTestId("closed")).toHaveTextContent(/Pairing is closed for 4:(10|09)/);
  expect(screen.getByTestId("arrival-code")).toBeDisabled();
});

test("unpairing asks first, with the focus on the safe choice", async () => {
  const app = await open([]);
  await go(app, "3");
  await app.user.click((await waitFor(() => screen.getAllByTestId("unpair")))[0]!);
  expect(app.named("revoke_agent")).toEqual([]);
  expect(screen.getByTestId("unpair-keep")).toHaveFocus();
  await app.user.click(screen.getByTestId("unpair-yes"));
  expect(app.named("revoke_agent")).toEqual([{ id: "a1" }]);
});

test("a new token takes a second word, is shown until it is put away, and says where it is already", async () => {
  const app = await open([]);
  await go(app, "3");
  const [first, second] = await waitFor(() => screen.getAllByTestId("rotate"));
  await app.user.click(first!);
  expect(screen.getByTestId("rotate-keep")).toHaveFocus();
  await app.user.click(screen.getByTestId("rotate-keep"));
  expect(app.named("rotate_agent")).toEqual([]);
  await app.user.click(first!);
  await app.user.click(screen.getByTestId("rotate-yes"));
  await waitFor(() => expect(screen.getByTestId("token")).toHaveTextContent("cs_fresh"));
  expect(screen.getByTestId("token").closest("td")).toHaveTextContent("has it already");
  await app.user.click(screen.getByTestId("rotate-done"));
  expect(screen.queryByTestId("token")).toBeNull();
  await app.user.click(second!);
  await app.user.click(screen.getByTestId("rotate-yes"));
  await waitFor(() => expect(screen.getByTestId("token").closest("td")).toHaveTextContent("give it to the program"));
  expect(app.named("rotate_agent")).toEqual([{ id: "a1" }, { id: "a2" }]);
});

test("the mode in the status line opens all sessions, and changes the one that is meant", async () => {
  const app = await open([]);
  expect(screen.getByTestId("mode")).toHaveTextContent("interactive");
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) { this.open = true; };
  await app.user.click(screen.getByTestId("mode"));
  const sessions = await waitFor(() => screen.getAllByTestId("session"));
  expect(sessions.map((one) => one.dataset.id)).toEqual(["s1", "s2", "s3"]);
  const modes = screen.getAllByTestId("session-mode");
  expect(modes).toHaveLength(2); // autonomous mode is fixed
  await app.user.selectOptions(modes[1]!, "guided");
  expect(app.named("set_mode")).toEqual([{ session: "s2", mode: "guided" }]);
});

test("language and theme follow the app's word", async () => {
  const app = await open([]);
  await go(app, "5");
  await app.user.selectOptions(await waitFor(() => screen.getByTestId("language")), "es");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Ajustes"));
  expect(document.documentElement.lang).toBe("es");
  await app.user.selectOptions(screen.getByTestId("theme"), "dark");
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
});

test("notifications, quiet hours and the start at login are switches with names, by keyboard", async () => {
  const app = await open([]);
  await go(app, "5");
  const notify = await waitFor(() => screen.getByRole("switch", { name: "Notify me about new questions" }));
  expect(notify).toBeChecked();
  notify.focus();
  await app.user.keyboard(" ");
  await waitFor(() => expect(notify).not.toBeChecked());
  await app.user.click(screen.getByRole("switch", { name: "Quiet hours" }));
  await app.user.selectOptions(screen.getByLabelText("From"), "23:30");
  await waitFor(() => expect(screen.getByLabelText("From")).toHaveValue("23:30"));
  await app.user.selectOptions(screen.getByLabelText("to"), "06:00");
  await app.user.click(screen.getByRole("switch", { name: "Open at login" }));
  expect(app.named("set_preference")).toEqual([
    { key: "notifications", value: "off" }, { key: "quiet", value: "on" }, { key: "quiet_hours", value: "23:30-08:00" },
    { key: "quiet_hours", value: "23:30-06:00" }, { key: "start_at_login", value: "on" },
  ]);
  await waitFor(() => expect(screen.getByRole("switch", { name: "Open at login" })).toBeChecked());
});

test("a test notification says whether it arrived, and a fault is said in settings and on every screen", async () => {
  const app = await open([choice("r1")]);
  expect(screen.queryByTestId("unheard")).toBeNull();
  await go(app, "5");
  expect(screen.queryByTestId("service-fault")).toBeNull();
  await app.user.click(await waitFor(() => screen.getByTestId("notify-test")));
  await waitFor(() => expect(screen.getByTestId("notify-outcome")).toHaveTextContent("It arrived"));
  for (const [service, why] of [["missing", "nobody shows them"], ["refused", "refuses them"], ["silent", "doesn’t answer"]] as const) {
    app.tried.service = service;
    await app.user.click(screen.getByTestId("notify-test"));
    await waitFor(() => expect(screen.getByTestId("notify-outcome")).toHaveTextContent("It did not arrive."));
    expect(screen.getByTestId("service-fault")).toHaveTextContent(why);
  }
  await go(app, "1");
  expect(screen.getByTestId("unheard")).toHaveTextContent("Notifications don’t arrive");
});

test("what a desktop can't do is said, and a system that starts nothing at login offers nothing", async () => {
  const app = await open([], { status: { tray: false, wayland: true, startAtLogin: null } });
  await go(app, "5");
  await waitFor(() => expect(screen.getByTestId("desktop")).toHaveTextContent(/no tray icons.*Ctrl\+Q.*Wayland/));
  expect(screen.queryByTestId("login")).toBeNull();
});

test("Ctrl+Q quits from anywhere, and what is being typed is kept first", async () => {
  const app = await open([choice("r1")]);
  await app.user.keyboard("4");
  await waitFor(() => expect(screen.getByTestId("other-input")).toHaveFocus());
  await app.user.keyboard("mine{Control>}q{/Control}");
  await waitFor(() => expect(app.named("quit")).toHaveLength(1));
  expect(app.named("save_draft").at(-1)?.draft).toContain("mine");
});

test("a click on a notification opens that request, from any screen and past any filter, and answers nothing", async () => {
  const app = await open([choice("r1"), choice("r2"), choice("r3")]);
  await app.user.type(screen.getByTestId("search"), "r1");
  await go(app, "5");
  await app.emit("open", "#inbox/r3");
  await settledTitle("Pick for r3");
  expect(location.hash).toBe("#inbox");
  await app.emit("open", "#inbox/r2");
  await settledTitle("Pick for r2");
  await app.emit("open", "#inbox/r2");
  await waitFor(() => expect(screen.getByTestId("detail-title")).toHaveFocus());
  await app.emit("open", "#settings");
  await waitFor(() => screen.getByTestId("settings"));
  expect([...app.named("answer"), ...app.named("decline"), ...app.named("open_dialog")]).toEqual([]);
});

test("what was clicked before the page was there opens with it", async () => {
  await open([choice("r1"), choice("r2")], { opens: "#inbox/r2" });
  await settledTitle("Pick for r2");
});

test("a decision in the dialog is said to be the person's own, not somebody else's", async () => {
  const app = await open([choice("r1", {}, { class: "destructive" }), choice("r2")]);
  await app.settleElsewhere("r1", "answered", { by: "dialog" });
  await waitFor(() => expect(screen.getByTestId("status")).toHaveTextContent("You decided this in its dialog."));
  await app.desk.select("r2", "keys");
  await app.settleElsewhere("r2", "answered", { by: "terminal" });
  await waitFor(() => expect(screen.getByTestId("status")).toHaveTextContent("settled elsewhere"));
});

test("a passphrase is set once, of eight characters, typed twice", async () => {
  const app = await open([]);
  await go(app, "5");
  const set = await waitFor(() => screen.getByTestId("passphrase-set"));
  await app.user.type(screen.getByTestId("passphrase-first"), "correct horse");
  await app.user.type(screen.getByTestId("passphrase-second"), "correct hors");
  expect(set).toBeDisabled();
  expect(screen.getByTestId("passphrase")).toHaveTextContent("aren’t the same");
  await app.user.type(screen.getByTestId("passphrase-second"), "e");
  await app.user.click(set);
  expect(app.named("set_passphrase")).toEqual([{ passphrase: "correct horse" }]);
  await waitFor(() => expect(screen.queryByTestId("passphrase")).toBeNull());
});

test("the status line warns of a test home", async () => {
  await open([], { status: { testHome: true } });
  expect(screen.getByTestId("status")).toHaveTextContent("Listening on 127.0.0.1:4780");
  expect(screen.getByTestId("status")).toHaveTextContent("Test home");
});

test("Esc leaves a field and keeps what is in it; a new screen's heading takes a focus that was lost", async () => {
  const app = await open([choice("r1"), choice("r2")]);
  await app.user.keyboard("4");
  await waitFor(() => expect(screen.getByTestId("other-input")).toHaveFocus());
  await app.user.keyboard("mine{Escape}");
  expect(screen.getByTestId("detail-title")).toHaveFocus();
  expect(screen.getByTestId("other-input")).toHaveValue("mine");
  expect([...app.named("answer"), ...app.named("decline")]).toEqual([]);
  await go(app, "5");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Settings" })).toHaveFocus());
  await go(app, "1");
  await waitFor(() => expect(screen.getByTestId("detail-title")).toHaveFocus());
  await app.user.keyboard("/x{Escape}");
  await waitFor(() => expect(screen.getAllByTestId("row")[0]).toHaveFocus());
});

test("a run holds the app back from quitting, here and from the tray, until the person says so", async () => {
  const app = await open([]);
  app.tried.runs = 2;
  await emit("quit", null);
  await waitFor(() => expect(screen.getByTestId("quit")).toHaveTextContent("2 checks or deployments still run."));
  expect(screen.getByTestId("quit")).not.toHaveTextContent("saved");
  await app.user.click(screen.getByTestId("quit-stay"));
  expect(screen.queryByTestId("quit")).toBeNull();
  await app.user.keyboard("{Control>}q{/Control}");
  await app.user.click(await waitFor(() => screen.getByTestId("quit-yes")));
  await waitFor(() => expect(app.named("quit").map((one) => one.sure)).toEqual([false, false, true]));
});
