export type Surface = "window" | "dialog";
