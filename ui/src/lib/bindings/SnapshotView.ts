import type { AgentRow } from "./AgentRow";
import type { ArrivalsView } from "./ArrivalsView";
import type { OpenListView } from "./OpenListView";
import type { StatusView } from "./StatusView";

export type SnapshotView = { status: StatusView; list: OpenListView; agents: Array<AgentRow>; arrivals: ArrivalsView };
