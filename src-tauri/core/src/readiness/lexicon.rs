//! The words that the rules know, in English and Spanish, each with what it can be; looked up once a word.
//!
//! All are folded: lower case, no accents. A word may be several things, which the rules tell apart by what is around.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Verbs of what a thing does, regular: "returns", "returned", "returning" follow.
const ENGLISH: &str = "return show display reject accept store save persist respond answer print emit log send receive contain \
    include list create delete remove update add appear disappear open close redirect navigate fail succeed \
    throw raise exit warn notify block deny allow prevent download upload render highlight expire retry ignore \
    stop start keep match equal exceed finish complete load work-out refuse require ask report produce generate \
    write read record count sort order filter group hide disable enable lock unlock fill empty replace restore \
    reset roll move copy drop trigger launch run skip wait resume pause cancel revoke grant refund charge credit \
    debit archive publish deploy install play scroll focus submit validate verify reach stay remain become turn \
    change increase decrease grow shrink switch convert escape strip trim truncate round encrypt decrypt sign \
    hash mask redact link point call invoke pass hit time terminate abort crash survive recover reconnect \
    disconnect connect log-in sync arrive deliver bounce queue schedule fire consume use take last cost cover \
    exclude omit preserve retain leave lose gain get see find give hold set bring put end begin say tell \
    announce speak state name mention describe explain ring beep flash blink vibrate pop paginate compare detect \
    identify mark flag tag assign attach detach merge split join import export parse serialize map resolve \
    rewrite route forward proxy cache evict purge clear bind listen serve claim rotate renew negotiate throttle \
    limit cap rate-limit log-out compile build boot migrate rename format lint exist have consist comprise hear \
    click translate degrade reopen rejoin reload refresh fetch collapse expand animate snap swap select deselect \
    check uncheck tick zoom drag";
/// Forms that don't follow.
const ENGLISH_ODD: &str = "sent kept shown hidden written read thrown left lost got seen found given held set brought put ended begun \
    said told run taken has had sets gets becomes became does did rung spoken shut cut made paid sold drawn hit \
    built reset split cost won chosen";
/// Spanish verbs in -ar, by their stems; a second stem is that of its stressed forms.
const SPANISH_AR: &str = "almacen guard rechaz acept muestr:mostr envi cre borr elimin actualiz registr list fall termin lanz avis \
    notific bloque descarg carg cerr:cierr cierr:cerr ejecut tard super qued conserv ignor reintent caduc expir \
    orden filtr calcul valid marc asign adjunt import export cancel revoc reembols cobr archiv public \
    despleg:desplieg instal abort not inform indic contest entreg consult activ desactiv habilit deshabilit \
    ocult oculta resalt cambi aument baj enmascar cifr firm copi peg mand llam us ocup dur cost lleg recuper \
    restaur reinici arranc encuentr:encontr cuent:cont separ agrup pagin redondear redonde recort encol program \
    pas reemplaz sustituy desaparec incorpor vaci rellen acab comienz:comenz empiez:empez oblig solicit pregunt \
    present visualiz gener grab anot imprim compar detect identific etiquet renombr form migr compil comprob \
    comprueb verific anunci suen:son aisl acumul limpi salt rebot confirm deneg:denieg autoriz aplic continu \
    llev ensen pint coloc rebobin desplaz traduj selecc seleccion sincroniz refresc suspend procesa proces";
/// Spanish verbs in -er and -ir.
const SPANISH_ER: &str = "devuelv:devolv respond aparec desaparec ve:ve recib redirig redirij imprim emit conten contien inclu:inclu \
    incluy permit imped impid sub abr exced deten detien permanec manten mantien exist ten tien coincid le \
    escrib cumpl suced ocurr produc reduc pid ped sirv serv interrump convert conviert transmit omit exig elig \
    reten retien obten obtien pon vuelv:volv establec correspond corrig distribu distribuy disminuy disminu \
    proteg pertenec crec decrec conced sustituy reconstruy pierd:perd sig segu recorr transcurr hac traduc \
    transfier:transfer difier:difer consegu consig";
/// Finite forms that are nouns as well: of these the word before tells, and in English the one behind.
const NOUNS: &str = "carga descarga muestra lista guarda marca copia entrega cuenta firma baja nota falla consulta pregunta cifra \
    forma programa llama costa pagina etiqueta retries logs updates reports records links tags limits lists \
    exports imports uploads downloads prints charges refunds credits debits archives filters groups sorts caches \
    locks changes returns displays stores checks matches reads calls hits times costs signs points moves copies \
    drops triggers runs escapes states names marks flags splits joins maps routes rates claims builds boots \
    formats answers blocks crashes switches scrolls queues schedules rings flashes pops";
/// Finite Spanish forms that are adjectives as well: only "se" makes verbs of them.
const ADJECTIVES: &str = "publica activa oculta vacia limpia correcta adjunta valida dura";
/// What is seen of a thing after "is" or "está".
const STATES: &str = "visible invisible present absent available unavailable open closed equal identical unchanged empty active \
    inactive required optional unique sorted online offline read-only readonly white black red green blue grey \
    gray yellow true false null zero reachable unreachable selectable clickable editable accessible intact free \
    paid full complete down up gone focused possible impossible live posible imposible visibles presente \
    presentes ausente disponible disponibles indisponible abierto abierta cerrado cerrada igual iguales identico \
    identica vacio vacia vacios vacias activo activa activos activas inactivo inactiva obligatorio obligatoria \
    opcional unico unica rojo roja verde azul gris blanco negro intacto intacta libre accesible oculto oculta \
    inalcanzable";
/// What is done to build a thing; of these "is implemented" says nothing either.
const WORK: &str = "implement add create build develop design write refactor fix improve make support handle manage investigate \
    update remove migrate configure setup set document test review use optimize optimise enhance integrate \
    consider ensure define introduce provide prepare plan research explore evaluate extend simplify clean \
    rewrite upgrade adapt adjust allow enable store save send delete log import export deploy move change rename \
    implementar anadir agregar crear construir desarrollar disenar escribir refactorizar corregir arreglar \
    mejorar hacer soportar manejar gestionar investigar actualizar eliminar quitar migrar configurar documentar \
    probar revisar usar optimizar integrar considerar asegurar garantizar definir introducir preparar planificar \
    explorar evaluar extender simplificar limpiar adaptar ajustar permitir habilitar guardar enviar borrar \
    registrar";
/// Participles of work, as after "is" or "está".
const WORK_DONE: &str = "implemented developed designed refactored fixed improved supported handled managed investigated configured \
    documented tested reviewed optimized optimised enhanced integrated considered needed used wanted expected \
    desired planned implementado implementada desarrollado desarrollada disenado disenada mejorado mejorada \
    soportado soportada gestionado gestionada configurado documentado documentada probado probada optimizado \
    optimizada integrado integrada considerado pensado manejado manejada cuidado cuidada";
/// What looks like a verb that can be seen, and isn't.
const SAYS_NOTHING: &str = "handles supports manages improves provides ensures offers helps enhances considers follows uses facilitates \
    enables focuses addresses needs wants expects this across always versus perhaps unless whereas besides \
    towards sometimes soporta soportan maneja manejan gestiona gestionan mejora mejoran ofrece ofrecen facilita \
    facilitan garantiza garantizan asegura aseguran necesita necesitan quiere quieren espera esperan para sobre \
    entre ante desde hasta durante mediante contra hacia toda todas cada donde aunque segun incluso tiene bien \
    tambien comun orden gran porque conforme dentro fuera encima tanto cuan sean eran siendo";
/// "Is" and "está", and what does their work.
const BE: &str = "is are was were be been being gets get stays stay remains remain becomes become has have its isnt arent es \
    son esta estan sea sean ser estar fue fueron queda quedan quedar quede sera seran estara ha han haya \
    permanece aparece quedara quedaran siguen sigue";
/// What stands before a verb in its base form.
const MODALS: &str = "must should shall will can cannot cant may might would could to not doesnt dont wont mustnt does do did \
    never always only then they you we i also and or debe deben debera deberan deberia puede pueden podra podran \
    que no se users";
/// What a condition begins with.
const CONDITIONS: &str =
    "when if given while unless whenever after before cuando si dado dada dados dadas al mientras tras";
/// What stands before a noun.
const DETERMINERS: &str = "the a an all these those this that's of in for with our its their any some no by from on per each better \
    more el la los las un una de del en con por para sin su sus cada esta esa toda primera nueva";
/// Numbers as words, where "one" and "a" are too common to be one.
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty sixty hundred thousand \
    million half twice zero dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta \
    sesenta cien mil millon mitad cero doble";
/// One, where it is counted.
const ONES: &str = "one once uno un una";
/// What can be only one way.
const EXACT: &str = "never nunca ningun empty sola none nothing nobody identical unchanged true false null unique ascending \
    descending alphabetical alphabetically chronological chronologically disabled hidden readonly vacio vacia \
    vacios vacias ninguno ninguna nada nadie identico identica identicos identicas intacto intacta unico unica \
    ascendente descendente alfabetico cronologico";
/// What compares with a number.
const COMPARES: &str = "under below above over within less fewer more most least up exactly maximum minimum max min between than \
    exceed exceeds equals only precisely every after menos mas maximo minimo hasta entre inferior superior mayor \
    menor exactamente debajo encima dentro supera superan superar excede igual solo cada tras sola unica";
/// What numbers are of.
const UNITS: &str = "ms s sec secs second seconds min mins minute minutes h hour hours day days week weeks month months year \
    years percent kb mb gb tb kib mib gib byte bytes px pixels character characters chars word words line lines \
    request requests time times user users row rows item items record records file files retries attempts rps \
    rpm qps fps hz eur usd euros dollars clicks segundo segundos minuto minutos hora horas dia dias semana \
    semanas mes meses ano anos caracteres intentos veces peticiones solicitudes filas usuarios elementos \
    registros archivos ficheros lineas palabras dolares clics reintentos";
/// Capitals that name nothing in particular.
const GENERIC: &str = "api apis ui ux url id ids mvp qa ok todo tbd spec issue req etc asap ac crud it pm faq i must should shall \
    may given when then and or not no only all always never if as so the debe deberia puede dado dada cuando \
    entonces si nunca siempre todos solo y o pero";
/// Words that a clause begins with; a capital there is no name.
const OPENERS: &str =
    "given when then and but or if the a an as i it dado dada dados dadas cuando entonces y pero si el la como";
/// What stands before a quality that is said of something.
const SAID_OF: &str = "a be is are was stay stays remain remains look looks very more really it feel feels an es son sea sean ser \
    esta estan muy mas un una queda parece";
/// What follows a noun rather than a verb.
const LINKS: &str = "for of in to with on by from per and or de del para por y en con";
/// What a verb's object begins with.
const OBJECTS: &str = "the a an all every each its their no only";
/// The same in Spanish.
const OBJETOS: &str = "el la los las un una todos todas cada su sus";
/// What makes "no" one that counts: "no request is lost".
const FINITES: &str = "is are may can must will should gets";

/// What a word can be: a set of the constants below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const NUMBER: Self = Self(1 << 0);
    pub(super) const ONE: Self = Self(1 << 1);
    pub(super) const EXACT: Self = Self(1 << 2);
    pub(super) const COMPARES: Self = Self(1 << 3);
    pub(super) const UNIT: Self = Self(1 << 4);
    pub(super) const GENERIC: Self = Self(1 << 5);
    pub(super) const OPENER: Self = Self(1 << 6);
    pub(super) const NOUN: Self = Self(1 << 7);
    pub(super) const ADJECTIVE: Self = Self(1 << 8);
    pub(super) const STATE: Self = Self(1 << 9);
    pub(super) const WORK: Self = Self(1 << 10);
    pub(super) const WORK_DONE: Self = Self(1 << 11);
    pub(super) const SAYS_NOTHING: Self = Self(1 << 12);
    pub(super) const BE: Self = Self(1 << 13);
    pub(super) const MODAL: Self = Self(1 << 14);
    pub(super) const CONDITION: Self = Self(1 << 15);
    pub(super) const DETERMINER: Self = Self(1 << 16);
    pub(super) const SAID_OF: Self = Self(1 << 17);
    pub(super) const LINK: Self = Self(1 << 18);
    pub(super) const OBJECT: Self = Self(1 << 19);
    pub(super) const OBJETO: Self = Self(1 << 20);
    pub(super) const AUXILIARY: Self = Self(1 << 21);
    pub(super) const FINITE: Self = Self(1 << 22);
    pub(super) const BASE: Self = Self(1 << 23);
    pub(super) const PAST: Self = Self(1 << 24);

    /// Whether it can be any of these.
    pub(super) fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

impl std::ops::BitOr for Kinds {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

static WORDS: LazyLock<HashMap<String, Kinds>> = LazyLock::new(|| {
    let mut words: HashMap<String, Kinds> = HashMap::new();
    // The first form that a word is found to have is its form.
    let forms = Kinds::FINITE | Kinds::BASE | Kinds::PAST;
    let mut put = |word: String, kind: Kinds| {
        let known = words.entry(word).or_default();
        if !(forms.any(kind) && known.any(forms)) {
            *known = *known | kind;
        }
    };
    forms_of_verbs(&mut put);
    for (kind, list) in [
        (Kinds::NUMBER, NUMBERS),
        (Kinds::ONE, ONES),
        (Kinds::EXACT, EXACT),
        (Kinds::COMPARES, COMPARES),
        (Kinds::UNIT, UNITS),
        (Kinds::GENERIC, GENERIC),
        (Kinds::OPENER, OPENERS),
        (Kinds::NOUN, NOUNS),
        (Kinds::ADJECTIVE, ADJECTIVES),
        (Kinds::STATE, STATES),
        (Kinds::WORK, WORK),
        (Kinds::WORK_DONE, WORK_DONE),
        (Kinds::SAYS_NOTHING, SAYS_NOTHING),
        (Kinds::BE, BE),
        (Kinds::MODAL, MODALS),
        (Kinds::CONDITION, CONDITIONS),
        (Kinds::DETERMINER, DETERMINERS),
        (Kinds::SAID_OF, SAID_OF),
        (Kinds::LINK, LINKS),
        (Kinds::OBJECT, OBJECTS),
        (Kinds::OBJETO, OBJETOS),
        (Kinds::AUXILIARY, FINITES),
    ] {
        list.split_ascii_whitespace().for_each(|word| put(word.to_owned(), kind));
    }
    words
});

/// What a folded word can be.
pub(super) fn kinds(word: &str) -> Kinds {
    WORDS.get(word).copied().unwrap_or_default()
}

fn forms_of_verbs(put: &mut impl FnMut(String, Kinds)) {
    for word in ENGLISH_ODD.split_whitespace() {
        put(word.into(), if word.ends_with('s') { Kinds::FINITE } else { Kinds::PAST });
    }
    for verb in ENGLISH.split_whitespace() {
        let ends = |ends: &[&str]| ends.iter().any(|end| verb.ends_with(end));
        let (s, ed) = match verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o'])) {
            Some(stem) => (format!("{stem}ies"), format!("{stem}ied")),
            None if verb.ends_with('e') => (format!("{verb}s"), format!("{verb}d")),
            None => (format!("{verb}{}", if ends(&["s", "sh", "ch", "x"]) { "es" } else { "s" }), format!("{verb}ed")),
        };
        put(s, Kinds::FINITE);
        put(ed, Kinds::PAST);
        put(verb.into(), Kinds::BASE);
    }
    let stems = |list: &'static str| list.split_whitespace().flat_map(|stems| stems.split(':'));
    let endings = [
        (SPANISH_AR, Kinds::FINITE, &["a", "an", "ara", "aran", "aron", "aria"][..]),
        (SPANISH_AR, Kinds::BASE, &["ar", "arse", "arlo", "arla"]),
        (
            SPANISH_ER,
            Kinds::FINITE,
            &["e", "en", "era", "eran", "ira", "iran", "dra", "dran", "a", "an", "io", "ieron"],
        ),
        (SPANISH_ER, Kinds::BASE, &["er", "ir", "erse", "irse"]),
    ];
    for (list, form, endings) in endings {
        for stem in stems(list) {
            endings.iter().for_each(|end| put(format!("{stem}{end}"), form));
        }
    }
    for word in [
        "hay", "habra", "ve", "ven", "da", "dan", "dara", "tiene", "tienen", "tendra", "va", "van", "oye", "lee",
        "leen", "sale", "salen", "vera", "veran",
    ] {
        put(word.into(), Kinds::FINITE);
    }
}
