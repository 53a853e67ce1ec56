import { Environment, Interpreter, Template } from '@huggingface/jinja'
import { isExact } from '../../../contract/kernel/parse-json.ts'
import { NoCounterpart, type Incoming } from './entity.ts'
import { tooLong } from './units.ts'

/** A compiled value or command template. */
export type CompiledTemplate = (context: TemplateContext) => string

export interface TemplateContext {
  /** The received payload, or the value to send. */
  value: unknown
  json(): unknown
}

/** Maximum length of a template; longer ones are malicious. */
const MAX_LENGTH = 8_192
/** Maximum number of evaluation steps of one rendering; without loops a template has far fewer. */
const MAX_STEPS = 20_000
/** Maximum number of characters and list elements that one rendering may create, all values together. */
const MAX_SIZE = 1024 * 1024
/** Maximum length of an argument of `replace` or `join`, which may be inserted once for each character of the operand. */
const MAX_ARGUMENT = 256
/** Statements that could run endlessly; anyone on the device broker can send a message. */
const ENDLESS = new Set(['For', 'Macro', 'CallStatement'])
/** Functions of the template library that could exhaust the memory; without loops no template needs a list of numbers. */
const BOUNDLESS = new Set(['range'])
/** Arguments that cannot be checked before the call: "**{'indent': 999999999}". */
const UNSEEN = new Set(['SpreadExpression', 'KeywordSpreadExpression'])

interface Node {
  type: string
  [part: string]: unknown
}

const numberOr = (value: unknown, fallback: unknown, round = (n: number) => n): unknown => {
  const number = typeof value === 'boolean' ? Number(value) : Number.parseFloat(String(value))
  if (!Number.isFinite(number)) return fallback
  if (!isExact(number)) throw new Error(tooLong(value))
  return round(number)
}

/** Filters of Home Assistant that the template library lacks, or defines differently. */
const FILTERS: Record<string, (value: never, ...args: never[]) => unknown> = {
  float: (value: unknown, fallback?: unknown) => numberOr(value, fallback),
  int: (value: unknown, fallback?: unknown) => numberOr(value, fallback, Math.trunc),
  round: (value: unknown, digits?: unknown) =>
    numberOr(value, value, (n) => {
      const scale = 10 ** Number(typeof digits === 'number' ? digits : 0)
      return Math.round(n * scale) / scale
    }),
  multiply: (value: unknown, by: unknown) => numberOr(value, undefined, (n) => n * Number(by)),
  add: (value: unknown, by: unknown) => numberOr(value, undefined, (n) => n + Number(by)),
  bitwise_and: (value: unknown, mask: unknown) => Number(value) & Number(mask),
  default: (value: unknown, fallback: unknown) => (value === undefined ? fallback : value),
  d: (value: unknown, fallback: unknown) => (value === undefined ? fallback : value),
  iif: (value: unknown, ifTrue: unknown = true, ifFalse: unknown = false) => (value ? ifTrue : ifFalse),
  bool: (value: unknown) => ['true', 'on', 'yes', '1', 'enable'].includes(String(value).toLowerCase()),
  is_defined: (value: unknown) => value,
}
const filterVariables = Object.fromEntries(
  Object.entries(FILTERS).map(([name, filter]) => [`filter_${name}`, filter]),
)
/** Filters that Home Assistant also offers as functions: `{{ float(value) }}`. */
const FUNCTIONS = Object.fromEntries(['float', 'int', 'bool', 'iif'].map((name) => [name, FILTERS[name]]))

/** `{{ value_json.a.b['c'][0] }}`, by far the most common template; captures its path. */
const PATH = /^\s*\{\{-?\s*value_json((?:\.[A-Za-z_]\w*|\[\s*(?:'[^']*'|"[^"]*"|\d+)\s*\])*)\s*-?\}\}\s*$/
const STEP = /\.([A-Za-z_]\w*)|\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/g

const compiled = new Map<string, CompiledTemplate>()
const MAX_KEPT = 20_000

/**
 * Compiles a Jinja template of Home Assistant; equal texts are compiled once.
 *
 * errors  Error with the parser's message for an invalid template or one that may run endlessly
 */
export function compileTemplate(text: string): CompiledTemplate {
  let known = compiled.get(text)
  if (!known) {
    known = compileOrExplain(text)
    if (compiled.size >= MAX_KEPT) compiled.clear()
    compiled.set(text, known)
  }
  return known
}

/** errors  NoCounterpart for a template that cannot be used */
function compileOrExplain(text: string): CompiledTemplate {
  try {
    return compile(text)
  } catch (error) {
    throw new NoCounterpart('template', (error as Error).message)
  }
}

function compile(text: string): CompiledTemplate {
  if (text.length > MAX_LENGTH) throw new Error('the template is too long')
  const path = PATH.exec(text)?.[1]
  if (path !== undefined) {
    const steps = [...path.matchAll(STEP)].map(([, a, b, c, d]) => a ?? b ?? c ?? d ?? '')
    return ({ json }) => asText(steps.reduce(member, json()))
  }
  const template = new Template(text)
  const usesJson = text.includes('value_json')
  prepare(template.parsed as unknown as Node)
  return ({ value, json }) => {
    const context: Record<string, unknown> = { ...GLOBALS, ...filterVariables, ...FUNCTIONS, value }
    if (usesJson) context['value_json'] = json()
    return render(template, context).trim()
  }
}

/** Names that a template may use in addition to the message. */
const GLOBALS = { true: true, false: false, none: null, True: true, False: false, None: null }

type Evaluated = ReturnType<Interpreter['evaluate']>
type Evaluate = Interpreter['evaluate']
type Arguments = [positional: Evaluated[], byKeyword: Map<string, Evaluated>]
/** The part of the library's interpreter that evaluates arguments; its types do not declare it. */
interface Calls {
  evaluateArguments(args: readonly unknown[], environment: Environment): Arguments
}

/** errors  Error for a rendering with too many steps or too much text, and any error of the library */
function render(template: Template, context: Record<string, unknown>): string {
  const environment = new Environment()
  // The library's types list only some of the values that it accepts.
  for (const [name, value] of Object.entries(context)) environment.set(name, value)
  const interpreter = boundedInterpreter(environment)
  return String(interpreter.run(template.parsed).value)
}

function boundedInterpreter(environment: Environment): Interpreter {
  const interpreter = new Interpreter(environment)
  let steps = 0
  let size = 0
  const charge = (value: Evaluated): void => {
    const { value: inner } = value as { value: unknown }
    size += typeof inner === 'string' ? inner.length : 1
    if (size > MAX_SIZE) throw new Error('the template makes too much text')
    if (Array.isArray(inner)) inner.forEach(charge)
    else if (inner instanceof Map) inner.forEach(charge)
  }
  const evaluate: Evaluate = interpreter.evaluate.bind(interpreter)
  interpreter.evaluate = (statement, scope) => {
    if (++steps > MAX_STEPS) throw new Error('the template takes too many steps')
    const result = evaluate(statement, scope)
    // Reading a list of the message is free; printing or creating one is charged.
    if (!statement || !isLookup(statement as unknown as Node) || typeof result.value === 'string')
      charge(result)
    return result
  }
  const calls = interpreter as unknown as Calls
  const evaluateArguments = calls.evaluateArguments.bind(interpreter)
  calls.evaluateArguments = (args, scope) => {
    const evaluated = evaluateArguments(args, scope)
    const all = [...evaluated[0], ...evaluated[1].values()]
    if (!ownArguments.has(args) && all.some(({ value }) => String(value ?? '').length > MAX_ARGUMENT))
      throw new Error('an argument in the template is too long')
    return evaluated
  }
  return interpreter
}

const isLookup = ({ type, printed }: Node): boolean =>
  printed !== true && (type === 'Identifier' || type === 'MemberExpression')

/** Arguments of the filters above, whose result is never larger than their input. */
const ownArguments = new WeakSet<readonly unknown[]>()

const member = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string, unknown>)[step]
    : undefined

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Turns the filters of Home Assistant into calls of the functions above; rejects statements that may not end. */
function prepare(node: Node): void {
  if (ENDLESS.has(node.type)) throw new Error(`a template with "${node.type}" is not taken`)
  if (node.type === 'Identifier' && BOUNDLESS.has(String(node['value'])))
    throw new Error(`a template with "${String(node['value'])}" is not taken`)
  if (UNSEEN.has(node.type)) throw new Error(`a template with "${node.type}" is not taken`)
  for (const block of [node['body'], node['alternate']])
    if (Array.isArray(block)) for (const one of block as Node[]) one['printed'] = true
  // In `value_json.range`, `range` is a field of the device.
  const isMember = node.type === 'MemberExpression' && node['computed'] === false
  for (const [name, part] of Object.entries(node)) {
    if (isMember && name === 'property') continue
    if (part instanceof Map) for (const pair of part) pair.forEach(prepareIfNode)
    else if (Array.isArray(part)) part.forEach(prepareIfNode)
    else prepareIfNode(part)
  }
  if (node.type === 'BinaryExpression') lenientIn(node)
  if (node.type !== 'FilterExpression') return
  const filter = node['filter'] as Node
  const callee = (filter.type === 'CallExpression' ? filter['callee'] : filter) as Node
  const name = String(callee['value'])
  if (name === 'indent' || isIndented(filter)) throw new Error('a template that indents is not taken')
  if (name === 'to_json') callee['value'] = 'tojson'
  if (!Object.hasOwn(FILTERS, name)) return
  const args = filter.type === 'CallExpression' ? (filter['args'] as unknown[]) : []
  const own = [node['operand'], ...args]
  ownArguments.add(own)
  node['args'] = own
  node['callee'] = { type: 'Identifier', value: `filter_${name}` }
  node.type = 'CallExpression'
}

/** `tojson(indent=999999999)` */
const isIndented = ({ args }: Node): boolean =>
  Array.isArray(args) && args.some(({ key }: Node) => (key as Node | undefined)?.['value'] === 'indent')

/**
 * Makes `in` false for undefined values, as in Home Assistant: `a in list` becomes `a is defined and a in list`. The library already
 * does so for an undefined list.
 */
function lenientIn(node: Node): void {
  const operator = node['operator'] as { value: string }
  const isIn = operator.value === 'in'
  if (!isIn && operator.value !== 'not in') return
  const compares = { ...node }
  const defined = { type: 'Identifier', value: 'defined' }
  node['left'] = { type: 'TestExpression', operand: compares['left'], negate: !isIn, test: defined }
  node['operator'] = { value: isIn ? 'and' : 'or' }
  node['right'] = compares
}

function prepareIfNode(part: unknown): void {
  if (typeof part === 'object' && part !== null && typeof (part as Node).type === 'string')
    prepare(part as Node)
}

export const contextOf = (message: Incoming): TemplateContext => ({ value: message.text, json: message.json })

/** Whether a text means an unknown value, in the words of Python, JavaScript and Home Assistant. */
export const isUnknown = (text: string): boolean =>
  text === '' || text === 'None' || text === 'null' || text === 'unknown' || text === 'unavailable'
