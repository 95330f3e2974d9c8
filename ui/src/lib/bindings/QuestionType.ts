export type QuestionType = "choice" | "multiChoice" | "text" | "confirm";
