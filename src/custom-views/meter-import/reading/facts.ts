import type {
  FactSource,
  ReadingAnswers,
  ReadingFact,
  ReadingFactName,
} from '../../../../contract/meters/import-reading.ts'

export interface MeterName {
  uid: string
  name: string
}

/** Facts that do not come from the file. */
export interface ReadingContext {
  meters: readonly MeterName[]
  /** Meter of the page that linked here. */
  meter?: string | undefined
  /** Time zone of the site. */
  zone: string
  now: number
  /** Name of the file, which may be that of the meter. */
  fileName?: string | undefined
  /** Facts that were confirmed for an earlier file of the same layout; they apply where the file does not state them. */
  profile?: ReadingAnswers | undefined
}

/** Question about a fact that the file leaves open, with an example from it. */
export interface Question {
  fact: ReadingFactName
  /** Text of the file that can be read in several ways. */
  example: string
  /** Answers with their energy, and the texts of the file that an answer is about if it is about some of the example. */
  options: readonly { value: string; kWh: number | null; text?: string }[]
  suggested: string
}

/** Collects facts with their sources. */
export class Facts {
  readonly list: ReadingFact[] = []
  readonly questions: Question[] = []
  readonly #answers: ReadingAnswers
  readonly #profile: ReadingAnswers
  constructor(answers: ReadingAnswers, profile: ReadingAnswers) {
    this.#answers = answers
    this.#profile = profile
  }
  /** The user's answer, which takes precedence over what the file states, if it is valid. */
  answer<T extends string>(fact: ReadingFactName, find: (value: string) => T | undefined): T | undefined {
    return this.#take(fact, find, this.#answers, 'confirmed')
  }
  /** The answer of the profile, which takes precedence over what the file suggests. */
  profile<T extends string>(fact: ReadingFactName, find: (value: string) => T | undefined): T | undefined {
    return this.#take(fact, find, this.#profile, 'profile')
  }
  #take<T extends string>(
    fact: ReadingFactName,
    find: (value: string) => T | undefined,
    from: ReadingAnswers,
    source: FactSource,
  ): T | undefined {
    const value = from[fact]
    const found = value === undefined ? undefined : find(value)
    if (found !== undefined) this.add(fact, found, source, source === 'profile' ? 'profile' : 'user')
    return found
  }
  add(
    Fact: ReadingFactName,
    Value: string,
    Source: FactSource,
    Evidence: string,
    Text = '',
    Column: string | null = null,
  ): void {
    this.list.push({
      Fact,
      Column: Column === null ? null : Column.slice(0, 80),
      Value: Value.slice(0, 120),
      Source,
      Evidence,
      Text: Text.slice(0, 120),
    })
  }
  /** Asks a question, unless another that decides whether it matters is still open. */
  ask(question: Question): void {
    const isKindOpen = this.questions.some(({ fact }) => fact === 'kind')
    if (!isKindOpen || (question.fact !== 'stamp' && question.fact !== 'interval'))
      this.questions.push(question)
    this.add(question.fact, question.suggested, 'assumed', 'open', question.example)
  }
}

/** Parser of an answer that must be one of these values; undefined for any other. */
export const oneOfValues =
  <T extends string>(...values: readonly T[]) =>
  (value: string): T | undefined =>
    values.find((each) => each === value)

/** Maximum number of texts in an example. */
const MAX_EXAMPLES = 4

/** Texts of a file as the example of a question. */
export const exampleOf = (texts: readonly string[]): string =>
  [...texts.slice(0, MAX_EXAMPLES), ...(texts.length > MAX_EXAMPLES ? ['…'] : [])].join(', ')
