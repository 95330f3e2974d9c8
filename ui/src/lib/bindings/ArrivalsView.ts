import type { ArrivalView } from "./ArrivalView";

export type ArrivalsView = { arrivals: Array<ArrivalView>; closedUntil: number | null };
