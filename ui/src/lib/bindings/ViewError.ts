export type ViewError = { code: string; message: string };
