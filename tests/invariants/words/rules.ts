/** A pattern that a text must not match, and the words to write instead. */
export type Rule = readonly [pattern: RegExp, use: string]

/** First words with which no docstring begins: the sentence would have no subject or no verb. */
export const STARTS: readonly Rule[] = [
  [/^(What|Whatever|Which|Whose|Who|Whom|Whoever)\b/, 'begin with a noun or a verb'],
  [/^Of\b/, 'no fronted genitive'],
  [/^How (many|much)\b/, 'Number of …, Amount of …'],
  [/^How (long|soon|often|far|late|old)\b/, 'Duration, Interval, Distance, Age …'],
  [/^(How|Why)\b/, 'begin with a noun: State of, Reason for, Format of'],
  [
    /^(When|Where|From when|Until when|Since when)\b(?![^.]*,)/,
    'Time at which, Place at which; or a conditional clause with a comma',
  ],
  [/^Whether (it|one|that|those|anything|somebody|anybody|nobody)\b/, 'Whether <noun> <verb>'],
  [/^(So|As) (many|much|long|often|late|soon|far|old|large)\b/, 'Maximum, Number, Interval'],
  [/^(Those|Somebody|Nobody|Nothing|Something|Anybody)\b/, 'name it'],
  [
    /^(Hears|Tells (?!.*\b(from|apart)\b)|Forgets|Looks (?!up)|Knows)\b/,
    'receives, notifies, deletes, checks, stores',
  ],
]
/** Phrases of the private dialect in comments and documents, with what to write. */
export const PHRASES: readonly Rule[] = [
  [/\b(is|are|was|were|be|been|being) told\b(?! apart)/i, 'is notified; receives; is given'],
  [/\b(is|are|was|were|be|been|being) (heard|unheard)\b/i, 'is received; reports; is connected'],
  [/\b(heard|hears?) (of|from)\b/i, 'received, reported'],
  [/\b(is|are|was|were|be|been|being) said\b/i, 'is stated, reported, entered, shown'],
  [
    /\b(tells?|told|telling) (of|nobody|somebody|people|others|screens?|hubs?|the others)\b/i,
    'notify, publish to',
  ],
  [/\b(came|comes?|becomes?|became) of\b/i, 'result, outcome'],
  [/\b(stands?|stood) (?!still|for\b|out\b|[-–—])/i, 'is, is stored, is shown, is written'],
  [/\bso (many|much|long|often|late)\b(?! (as|that))/i, 'name the quantity'],
  [/\bno more(?=[.,;:)]|$| (until|and|once|when|for|from)\b)/i, 'no longer'],
  [
    /\b(all the same|lest|in vain|for want of|as good as|one of both)\b/i,
    'anyway; so that … not; without effect; for lack of; almost; either',
  ],
  [/\bwhoever\b/i, 'the caller, the user, anyone who'],
  [
    /(?<!stays |stay |stayed |from |back |know )\bwhere (that|it|one|this) (is not|is|are|was|has|had|does|did|may|can|cannot|could|lacks?|says?|ends?|holds?)\b(?! (to be|meant|asked|needed))/i,
    'if',
  ],
  [
    /\b(nobody|somebody|no one) (knows?|knew|waits?|waited|asks?|asked|hears?|heard|says?|said|has said|looks?|looked|listens?|takes?|took|remembers?|counts?|speaks?|cares|minds)\b/i,
    'name the actor, or use the passive',
  ],
  [/\b(of|to|for|from|by) (which|whom) (nobody|nothing|somebody)\b/i, 'two sentences'],
  [
    /\b(is|are|was|were) (away|gone|there again|back again)\b/i,
    'is unavailable, unreachable, offline; was deleted; recovered',
  ],
  [/\b(speaks?|spoke) (for|of)\b/i, 'represents, describes'],
  [
    /(?:^|[.;:] )(Of|From|To|By|With) [a-z][^,.;:]{2,50}\b(is|are|was|were|comes?|goes|stands?|nothing|nobody)\b/,
    'subject first',
  ],
  [/(?:\. )(Who|Whose|Whom|What) (?![^.]*\?)/, 'no subject clause'],
  [/\b(owes?|owed|patience|reborn|bury|buries|buried)\b/i, 'use the term of the field'],
  [
    /\b(at one go|at one moment|as (it|they) comes?|by and by|goes its way)\b/i,
    'together, at the same time, in order of arrival',
  ],
]
/** E-mail is no letter. */
export const LETTER = /\bletters?\b/i
export const OF_ALPHABET =
  /digit|case\b|upper|capital|alphabet|character|first letter|[A-Z]-[A-Z]|typed|letters? of|code|Latin|glyph|font|single|\bspell|width/i
/** Log lines name an event: no anonymous actors, no promises. */
export const LOGS: readonly Rule[] = [
  [
    /\b(told|heard|away|taken|takes|looked|waits?|held|let go|became of|nobody|people|ourselves|again later|later|for now)\b/i,
    'event first, then what happens: "fan-out failed, will retry"',
  ],
]
/** What en-US must not say to people. */
export const UI: readonly Rule[] = [
  [
    /\b(a fault of ours|is away|are away|all the same|no more(?=[.,;:)]|$| until| and)|in vain|so many|whoever|lest|of itself|is well|one of both)\b/i,
    'plain American English',
  ],
  [/\b(is|are|was|were|be|been) (told|said|heard)\b(?! apart)/i, 'notified, shown, received'],
  [/\b(stands?|stood) (?!by\b|in when|still|for\b|out\b|[-–—])/i, 'is'],
  [/\b(came|comes?|becomes?|became) of\b/i, 'result'],
  [
    /\bletters?\b(?!.*(digit|case))(?<!(case|small|capital|number of|uppercase|lowercase) letters?)/i,
    'email',
  ],
  [/^(Of|Whose|Whoever) /, 'subject first'],
]
/** A type named by a participle or another bare verb form. */
export const PARTICIPLE =
  /^(?:[A-Z][a-z]+ed|Told|Known|Gone|Went|Took|Came|Taken|Said|Heard|Given|Found|Kept|Shown|Written|Chosen|Begun|Tried|Held|Begins?|Saying|Telling|Says|Does|Sent|Put|Ran|Met|Left|Lost|Made|Sold|Paid|Meant|Grown|Drawn|Elsewhere|Around|Beyond|Ahead)$/
export const NO_PARTICIPLE = /^(Feed|Seed|Speed|Shed|Need|Embedded|Bed|Led|Shared|Repeating)$/
/** Functions that begin with a verb of the dialect. */
export const VERBS: readonly Rule[] = [
  [/^(tell|tells|told)(?=[A-Z]|$)/, 'notify, publish, emit, announce'],
  [/^(hear|heard|hears)(?=[A-Z]|$)/, 'on…, subscribe, receive'],
  [/^(say|said|saying)(?=[A-Z]|$)/, 'format, describe'],
  [/^(bury|reborn|owe|owes|hasten|soon|once|over|own|left|begun|rest)$/, 'say what it does'],
  [/^hold(?=[A-Z]|$)/, 'lock (SELECT … FOR UPDATE), keep'],
  [/^look(At|For|Again|After|Around)/, 'check, find, recheck, sample'],
  [/^take(?=[A-Z]|$)(?!Ownership|Step)/, 'claim, receive, acquire, consume'],
  [/^note(?=[A-Z]|d)/, 'record, store'],
  [/^leave(?=[A-Z]|$)/, 'remove, detach'],
  [/^forget(?=[A-Z]|$)/, 'delete, clear (but forgotPassword)'],
  [/^ask(?=[A-Z]|ed)(?!To)/, 'request, query, confirm'],
]
/** Words in names of files. */
export const FILES =
  /(^|-)(tell|tells|telling|told|heard|hear|unheard|ahead|soon|turns|asked|asks|known|taken|took|gone|went|came|owes?|owed|spared|lacks|patience|beyond|no-earlier|in-turns|whoever|what-is-there|what-moves|news|wants|ears|away|room-door|standing|letters?|remake|unless|judge|judged|move-over|often|put-in|begun|begin|said|saying|acts|maintained)(-|$)/
/** Zones in which an exported name may exist once. Entry points of features share a name on purpose. */
export const PACKAGES = ['contract', 'gateway', 'src', 'hubs', 'device-link', 'simulator', 'scripts']
export const MAY_REPEAT = /^(Props|Options)$/
/** Features and screens are read by themselves: two of them may share a name, but no shared folder may share one with anything. */
export const areaOf = (file: string) =>
  /^(gateway\/features|src\/(custom-views|resources)|hubs\/(?!lib))\/?[^/]*/.exec(file)?.[0]
/** Texts that may not change: applied migrations, recorded data, generated or foreign files; and this list itself. */
export const EXEMPT =
  /^(gateway\/store\/migrations\/|tests\/data\/|mock\/data|docs\/images\/|CHANGELOG\.md|package-lock\.json|tests\/invariants\/words\/)/

/** Spellings of the whole text, code included, with the word of docs/glossary.md to write instead. */
export const SPELLINGS: readonly Rule[] = [
  [/reckon/i, 'compute; of energy: roll up'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'without limit'],
  [/\boutsides\b/i, 'ports'],
  [/\b(overtaken|disputed)\b/i, 'stale, conflicting'],
  [
    /\b(doubts|shortWay|roomy\w*)\b|\bshort way\b/i,
    'unacknowledged writes, publish fast path, level with disk-full recovery',
  ],
  // The state of a reading on the wire keeps its name, and so does its word in an export.
  [/(?<!['"`])withheld|withheld(?!['"`])/, 'quarantined'],
  // So does the count of a coverage, which is no more than a field.
  [/(?<![.'"`])Withheld(?![:'"`])/, 'quarantined'],
  // Calls and tables keep their names: /AddReservation, `reservations`.
  [/(?<!Add|Update|Delete|CheckIn|Get)Reservation|\breservation\b/, 'booking'],
  [/\b(interface|type) \w+Parts\b/, 'options, deps'],
  [/\b(HoldsBar|createRooms)\b/, 'a name of what it is'],
]
