-- When the person last left plan mode, or interactive mode, in any of the agent's sessions: what was seen only before that has
-- no say any more in how strictly the agent's next session starts.
ALTER TABLE agents ADD COLUMN left_plan_at        INTEGER;
ALTER TABLE agents ADD COLUMN left_interactive_at INTEGER;
