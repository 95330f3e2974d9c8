import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/detail.css";
import "./styles/diff.css";
import "./styles/dialog.css";
import "./styles/plan.css";
import Dialog from "./Dialog.svelte";
import { Consent } from "./lib/consent.svelte";

const consent = new Consent();
mount(Dialog, { target: document.getElementById("app")!, props: { consent } });
void consent.start();
