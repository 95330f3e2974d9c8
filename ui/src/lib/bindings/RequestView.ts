import type { Block } from "./Block";
import type { ClaimView } from "./ClaimView";
import type { DecisionView } from "./DecisionView";
import type { QuestionView } from "./QuestionView";
import type { RowView } from "./RowView";
import type { Surface } from "./Surface";

export type RequestView = {
  row: RowView;
  context: Array<Block>;
  questions: Array<QuestionView>;
  digest: string;
  surface: Surface;
  claims: Array<ClaimView>;
  draft: string | null;
  decision: DecisionView | null;
  collected: boolean;
};
