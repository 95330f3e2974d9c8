//! Spanish.

use super::Words;

pub(super) const WORDS: Words = Words {
    asks: "El agente pregunta",
    asks_approval: "El agente pide tu aprobación",
    asks_plan: "El plan, para tu aprobación",
    asks_step: "El agente quiere dar este paso",
    asks_hands: "El agente necesita tus manos",
    asks_file: "El agente pide un archivo",
    asks_policy: "Una regla del espacio de trabajo te pregunta",
    destroys: "Esto no se puede deshacer",
    question_of: "pregunta {} de {}",
    other: "Otra (escribe tu respuesta)",
    yes: "Sí",
    no: "No",
    approve: "Aprobar",
    reject: "Rechazar",
    allow: "Permitir",
    deny: "Denegar",
    done: "Hecho",
    could_not: "No se pudo hacer",
    run: "Ejecutarlo",
    keep: "Seguir planificando",
    cancel: "Cancelar",
    by_default: "(por defecto)",
    left_out: "(sin respuesta)",
    takes_pattern: "Admite un texto que encaje con {}",
    optional: "Esta puedes dejarla sin responder",
    claims: "El agente dice que respondiste: {}",
    program: "Lo pide {}, proceso {}",
    program_unknown: "No se pudo saber qué programa lo pide",
    through: ", en {}",
    comment_is: "Añades: {}",
    hint_choose: "↑/↓ elegir · Enter para enviar",
    hint_mark: "↑/↓ elegir · Espacio marca · Enter para enviar",
    hint_text: "Escribe tu respuesta · Enter para enviar · Alt+Enter otra línea · Ctrl+O una orden",
    hint_own: "Escribe tu respuesta · Enter para enviar · Esc vuelve",
    hint_confirm: "↑/↓ elegir · Enter para enviar",
    hint_plan: "r ejecutarlo · k seguir planificando · c cancelar · m modo",
    hint_plan_read: "d cambios · n líneas · p anteriores · RePág/AvPág leer",
    hint_step: "a permitir · d denegar · RePág/AvPág leer",
    hint_review: "Enter envía todas · 1–9 cambia una",
    hint_comment: "Enter sigue · Esc vuelve",
    hint_word: "Enter lo hace · Esc vuelve",
    hint_window: "Se decide en la ventana · o la muestra",
    hint_leave_out: "x la deja sin responder",
    hint_back: "b la anterior",
    hint_more: "AvPág: hay más",
    hint_list: "↑/↓ elegir · Enter abre · q termina",
    hint_idle: "Mayús+Tab modo · / orden · q termina",
    hint_panel: "? teclas",
    hint_note: "Enter sigue",
    hint_passphrase: "Enter lo prueba · Esc vuelve, no se decide nada",
    hint_code: "Esc vuelve, no se decide nada",
    hint_command: "/plan /mode guided /decline /comment /remark /list /secrets /open /quit",
    ask_comment: "¿Algo más para el agente? (Enter: nada)",
    ask_change: "¿Qué debería cambiar? (Enter: nada)",
    ask_reason: "¿Por qué no, y qué debería hacer? (Enter: nada)",
    ask_word: "Escribe {} para hacerlo:",
    review: "Tus respuestas:",
    revision: "revisión {}",
    leads_to: "Ejecutarlo lleva al modo {}",
    remark_is: "Línea {}: {}",
    bad_remark: "Una nota es para una línea de un plan: /remark 4:texto; n muestra las líneas.",
    switches_nothing: "Ejecutarlo no cambia de modo.",
    first_revision: "No hay ninguna revisión anterior.",
    unchanged: "Nada cambió desde la revisión anterior.",
    no_previous: "No hay planes anteriores a este.",
    out_run: "se ejecutó",
    out_keep: "se devolvió",
    out_cancel: "se canceló",
    out_declined: "quedó sin respuesta",
    out_replaced: "se sustituyó",
    out_withdrawn: "se retiró",
    out_expired: "caducó",
    mark_one: "Marca al menos una con Espacio.",
    needs_answer: "Hace falta una respuesta. Esc la deja pendiente.",
    not_pattern: "Eso no encaja con {}.",
    read_to_end: "Léelo primero hasta el final (AvPág). No se envió nada.",
    in_window: "Esto se decide en la ventana de Countersign; o la trae al frente.",
    enter_never: "Enter nunca hace esto; pulsa {}.",
    wrong_word: "Eso no es {}. No se envió nada.",
    pasted: "Eso se pegó, no se escribió; aquí no responde a nada.",
    not_a_command: "No hay ninguna orden {}; ? las muestra.",
    mode_fixed: "El modo autónomo es fijo en esta sesión.",
    no_session: "Abre antes una petición: el modo es el de su sesión.",
    away: "Countersign se fue. Lo que espera se conserva; esto vuelve solo.",
    back_again: "Countersign ha vuelto.",
    gone_midway: "Countersign se fue entretanto; mira si quedó decidido.",
    sent: "Enviado: {}",
    declined_it: "Sin respuesta: {}",
    mode_now: "Esta sesión está ahora en modo {}.",
    raised: "La ventana está al frente.",
    no_window: "No hay ventana; se decide aquí.",
    secrets_shown: "Se muestra lo que parece secreto.",
    secrets_masked: "Se oculta lo que parece secreto.",
    test_home: "PRUEBA",
    ended_answered: "respondida {}",
    ended_declined: "no quisiste responder, {}",
    ended_cancelled: "el agente la retiró",
    ended_expired: "caducó; nadie respondió",
    ended_superseded: "otra más nueva la sustituye",
    your_text: "Lo que habías escrito:",
    by_window: "en la ventana",
    by_dialog: "en su diálogo",
    by_notification: "en su notificación",
    by_terminal: "en otro terminal",
    by_serve: "en otro terminal, sin la aplicación",
    by_file: "en su archivo de respuesta",
    by_relayed: "por el agente, según dice en tu nombre",
    by_rule: "por una regla tuya",
    by_autonomous: "con su valor por defecto, en modo autónomo",
    by_expiry: "con su valor por defecto, pues se acabó su tiempo",
    by_program: "en el propio programa",
    by_mode: "por el modo de la sesión",
    by_nobody: "en otro sitio",
    proof_typed: "Hace falta probar que estás ahí. Contraseña:",
    proof_window: "Hace falta probar que estás ahí. Escribe este código en la ventana de Countersign, en Agentes:",
    proof_wait: "Un momento …",
    proof_wrong: "Esa no es la contraseña.",
    proof_pause: "Demasiados intentos; prueba otra vez en {} s.",
    proof_none: "No hay contraseña; pon una en la ventana, en Ajustes.",
    proof_not_given: "El código no se escribió a tiempo en la ventana, o se rechazó. No se decidió nada.",
    waiting_none: "Nada te espera.",
    waiting: "{} en espera",
    place_of: "{} de {}",
    mode_word: "modo {}",
    guided: "guiado",
    interactive: "interactivo",
    plan_mode: "plan",
    autonomous: "autónomo",
    in_folder: "{} en {}",
    sessions: "Trabajan ahora:",
    more_tasks: "… {} tareas más",
    more_requests: "… y más",
    help: "\
↑ ↓          elegir
Enter        enviar, o abrir
Espacio      marcar una de varias
1 … 9        elegir por número
← → Tab      la anterior, la siguiente
Mayús+Tab    el modo de la sesión
Esc          dejarla pendiente
RePág AvPág  leer
+            añadir un comentario
v            mostrar secretos, u ocultarlos
o            traer la ventana al frente
/plan        modo plan, sí o no
/mode M      guided, interactive o plan
/decline T   no responder
/comment T   decir algo más al agente
/remark N:T  una nota a una línea de un plan
/list /skip  lo que espera; la siguiente
/quit        terminar; todo queda pendiente
Ctrl+O       una orden mientras escribes
Ctrl+C       terminar ya",
    small: "Agranda este terminal",
    plain_start: "La bandeja de Countersign, en líneas sencillas. /help muestra las órdenes; Ctrl+C termina, y todo queda pendiente.",
    plain_wait: "Nada te espera. La próxima pregunta aparecerá aquí.",
    plain_prompt_choice: "Un número:",
    plain_prompt_many: "Números, como 1,3:",
    plain_prompt_own: "Un número, o tus palabras:",
    plain_prompt_text: "Tu respuesta:",
    plain_prompt_confirm: "s o n:",
    plain_comment: "Un comentario, o nada:",
    plain_passphrase: "Contraseña:",
    plain_code: "Escribe este código en la ventana de Countersign, en Agentes: {}",
    plain_not_understood: "Eso no responde a esto: {}",
    plain_help: "\
/skip        dejarla pendiente, la siguiente
/decline T   no responder
/comment T   decir algo más al agente
/remark N:T  una nota a una línea de un plan
/into M      ejecutar el plan en este modo
/plan        modo plan, sí o no
/mode M      guided, interactive o plan
/secrets     mostrar lo que parece secreto
/list        lo que espera
/open        traer la ventana al frente
/quit        terminar; todo queda pendiente",
    plain_end: "Fin. Lo que espera se conserva.",
    plain_optional: "Nada: dejarla sin responder.",
    plain_default: "Por defecto: {}",
};
