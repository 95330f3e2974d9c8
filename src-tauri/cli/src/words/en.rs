//! English.

use super::Words;

pub(super) const WORDS: Words = Words {
    asks: "The agent asks",
    asks_approval: "The agent asks for your approval",
    asks_plan: "The plan, for your approval",
    asks_step: "The agent wants to take this step",
    asks_hands: "The agent needs your hands",
    asks_file: "The agent asks for a file",
    asks_policy: "A rule of the workspace asks you",
    destroys: "This can't be undone",
    question_of: "question {} of {}",
    other: "Other (type your own answer)",
    yes: "Yes",
    no: "No",
    approve: "Approve",
    reject: "Reject",
    allow: "Allow",
    deny: "Deny",
    done: "Done",
    could_not: "Could not be done",
    run: "Run it",
    keep: "Keep planning",
    cancel: "Cancel",
    by_default: "(default)",
    left_out: "(no answer)",
    takes_pattern: "It takes a text that matches {}",
    optional: "You may leave this one out",
    claims: "The agent says that you answered: {}",
    program: "Asked by {}, process {}",
    program_unknown: "Which program asks could not be told",
    through: ", in {}",
    comment_is: "You add: {}",
    hint_choose: "↑/↓ choose · Enter to send",
    hint_mark: "↑/↓ choose · Space marks · Enter to send",
    hint_text: "Type your answer · Enter to send · Alt+Enter a new line · Ctrl+O a command",
    hint_own: "Type your own answer · Enter to send · Esc back",
    hint_confirm: "↑/↓ choose · Enter to send",
    hint_plan: "r run it · k keep planning · c cancel · m mode",
    hint_plan_read: "d changes · n lines · p before · PgUp/PgDn read",
    hint_step: "a allow · d deny · PgUp/PgDn read",
    hint_review: "Enter sends all · 1–9 change one",
    hint_comment: "Enter goes on · Esc back",
    hint_word: "Enter does it · Esc back",
    hint_window: "Decided in the window · o shows it",
    hint_leave_out: "x leaves it out",
    hint_back: "b the one before",
    hint_more: "PgDn: there is more",
    hint_list: "↑/↓ choose · Enter opens · q ends",
    hint_idle: "Shift+Tab mode · / command · q ends",
    hint_panel: "? keys",
    hint_note: "Enter goes on",
    hint_passphrase: "Enter proves it · Esc back, nothing is decided",
    hint_code: "Esc back, nothing is decided",
    hint_command: "/plan /mode guided /decline /comment /remark /list /secrets /open /quit",
    ask_comment: "Something to tell the agent besides? (Enter: nothing)",
    ask_change: "What should change? (Enter: nothing)",
    ask_reason: "Why not, and what should it do instead? (Enter: nothing)",
    ask_word: "Type {} to do it:",
    review: "Your answers:",
    revision: "revision {}",
    leads_to: "Running it leads to {} mode",
    remark_is: "Line {}: {}",
    bad_remark: "A remark is for a line of a plan: /remark 4:text; n shows the lines.",
    switches_nothing: "Running it switches no mode.",
    first_revision: "There is no revision before this one.",
    unchanged: "Nothing changed since the revision before.",
    no_previous: "There are no plans before this one.",
    out_run: "was run",
    out_keep: "was sent back",
    out_cancel: "was cancelled",
    out_declined: "was not answered",
    out_replaced: "was replaced",
    out_withdrawn: "was taken back",
    out_expired: "expired",
    mark_one: "Mark at least one with Space.",
    needs_answer: "This needs an answer. Esc leaves it pending.",
    not_pattern: "That does not match {}.",
    read_to_end: "Read it to its end first (PgDn). Nothing was sent.",
    in_window: "This is decided in Countersign's window; o brings it to the front.",
    enter_never: "Enter never does this; press {}.",
    wrong_word: "That is not {}. Nothing was sent.",
    pasted: "That was pasted, not typed; here it answers nothing.",
    not_a_command: "There is no command {}; ? lists them.",
    mode_fixed: "Autonomous mode is fixed for this session.",
    no_session: "Open a request first: the mode is its session's.",
    away: "Countersign went away. What waits is kept; this comes back by itself.",
    back_again: "Countersign is back.",
    gone_midway: "Countersign went away meanwhile; look whether it was decided.",
    sent: "Sent: {}",
    declined_it: "Declined: {}",
    mode_now: "This session is in {} mode now.",
    raised: "The window was brought to the front.",
    no_window: "There is no window; it is decided here.",
    secrets_shown: "What looks like a secret is shown.",
    secrets_masked: "What looks like a secret is masked.",
    test_home: "TEST",
    ended_answered: "answered {}",
    ended_declined: "declined {}",
    ended_cancelled: "taken back by the agent",
    ended_expired: "expired; nobody answered",
    ended_superseded: "replaced by a newer one",
    your_text: "What you had typed:",
    by_window: "in the window",
    by_dialog: "in its dialog",
    by_notification: "on its notification",
    by_terminal: "in another terminal",
    by_serve: "in another terminal, without the app",
    by_file: "in its answer file",
    by_relayed: "by the agent, as it says in your name",
    by_rule: "by a rule of yours",
    by_autonomous: "by its default, in autonomous mode",
    by_expiry: "by its default, for its time ran out",
    by_program: "in the program itself",
    by_mode: "by the session's mode",
    by_nobody: "elsewhere",
    proof_typed: "This takes a proof that you are there. Passphrase:",
    proof_window: "This takes a proof that you are there. Type this code into the Countersign window, under Agents:",
    proof_wait: "One moment …",
    proof_wrong: "That is not the passphrase.",
    proof_pause: "Too many wrong tries; try again in {} s.",
    proof_none: "No passphrase is set; set one in the window under Settings.",
    proof_not_given: "The code was not typed into the window in time, or was refused. Nothing was decided.",
    waiting_none: "Nothing is waiting for you.",
    waiting: "{} waiting",
    place_of: "{} of {}",
    mode_word: "{} mode",
    guided: "guided",
    interactive: "interactive",
    plan_mode: "plan",
    autonomous: "autonomous",
    in_folder: "{} in {}",
    sessions: "At work now:",
    more_tasks: "… {} more tasks",
    more_requests: "… and more",
    help: "\
↑ ↓          choose
Enter        send, or open
Space        mark one of several
1 … 9        choose by number
← → Tab      the one before, the next one
Shift+Tab    the session's mode
Esc          leave it pending
PgUp PgDn    read
+            add a comment
v            show secrets, or mask them
o            bring the window to the front
/plan        plan mode on or off
/mode M      guided, interactive or plan
/decline T   don't answer
/comment T   tell the agent besides
/remark N:T  a remark on a line of a plan
/list /skip  what waits; the next one
/quit        end; all stays pending
Ctrl+O       a command while you type
Ctrl+C       end at once",
    small: "Make this terminal larger",
    plain_start: "Countersign's inbox, as plain lines. /help lists the commands; Ctrl+C ends, and all stays pending.",
    plain_wait: "Nothing is waiting for you. The next question will be printed here.",
    plain_prompt_choice: "A number:",
    plain_prompt_many: "Numbers, such as 1,3:",
    plain_prompt_own: "A number, or your own words:",
    plain_prompt_text: "Your answer:",
    plain_prompt_confirm: "y or n:",
    plain_comment: "A comment, or nothing:",
    plain_passphrase: "Passphrase:",
    plain_code: "Type this code into the Countersign window, under Agents: {}",
    plain_not_understood: "That is no answer to this: {}",
    plain_help: "\
/skip        leave it pending, the next one
/decline T   don't answer
/comment T   tell the agent besides
/remark N:T  a remark on a line of a plan
/into M      run the plan into this mode
/plan        plan mode on or off
/mode M      guided, interactive or plan
/secrets     show what looks like a secret
/list        what waits
/open        bring the window to the front
/quit        end; all stays pending",
    plain_end: "The end. What waits is kept.",
    plain_optional: "Nothing: leave it out.",
    plain_default: "Default: {}",
};
