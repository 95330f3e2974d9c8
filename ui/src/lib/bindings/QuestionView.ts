import type { JsonValue } from "./JsonValue";
import type { OptionView } from "./OptionView";
import type { QuestionType } from "./QuestionType";
import type { SafeText } from "./SafeText";

export type QuestionView = {
  id: string;
  question: SafeText;
  type: QuestionType;
  options: Array<OptionView>;
  default: JsonValue | null;
  required: boolean;
  pattern: string | null;
  allowOther: boolean;
};
