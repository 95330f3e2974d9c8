import type { RowView } from "./RowView";

export type OpenListView = { revision: number; rows: Array<RowView> };
