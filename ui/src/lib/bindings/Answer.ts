export type Answer = string | boolean | Array<string> | { chosen: Array<string>; other: string };
