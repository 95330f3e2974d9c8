import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/diff.css";
import "./styles/asks.css";
import "./styles/plan.css";
import "./styles/frame.css";
import "./styles/list.css";
import "./styles/detail.css";
import "./styles/screens.css";
import "./styles/specs.css";
import "./styles/spec.css";
import "./styles/steps.css";
import App from "./App.svelte";
import { Desk } from "./lib/desk.svelte";

const desk = new Desk();
mount(App, { target: document.getElementById("app")!, props: { desk } });
void desk.start();
