import { Environment, Interpreter, Template } from '@huggingface/jinja'
import { isExact } from '../../contract/kernel/parse-json.ts'
import { NoCounterpart, type Incoming } from './entity.ts'
import { tooLong } from './units.ts'

/** A compiled value or command template. */
export type CompiledTemplate = (context: TemplateContext) => string

export interface TemplateContext {
  /** The payload as it came, or the value to be sent. */
  value: unknown
  /** The payload as JSON. */
  json(): unknown
}

/** Longer ones are not templates of a device but somebody's mischief. */
const MAX_LENGTH = 8_192
/** Parts of a template that one rendering may work out; without loops it has far fewer of its own. */
const MAX_STEPS = 20_000
/** Characters and list elements that one rendering may make, all its values together. */
const MAX_SIZE = 1024 * 1024
/** Characters of an argument of `replace` or `join`, which may come out once for each character of their operand. */
const MAX_ARGUMENT = 256
/** Statements that could run without end, on messages that anybody on the device broker may send. */
const ENDLESS = new Set(['For', 'Macro', 'CallStatement'])
/** Functions of the template library that fill the memory; without loops nobody needs a list of numbers. */
const BOUNDLESS = new Set(['range'])
/** Arguments of a call that nobody can read here: "**{'indent': 999999999}". */
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

/** Filters of Home Assistant that the template library has not, or has with another meaning. */
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
  iif: (value: unknown, yes: unknown = true, no: unknown = false) => (value ? yes : no),
  bool: (value: unknown) => ['true', 'on', 'yes', '1', 'enable'].includes(String(value).toLowerCase()),
  is_defined: (value: unknown) => value,
}
const filterVariables = Object.fromEntries(
  Object.entries(FILTERS).map(([name, filter]) => [`filter_${name}`, filter]),
)
/** Filters that Home Assistant also calls as functions: `{{ float(value) }}`. */
const FUNCTIONS = Object.fromEntries(['float', 'int', 'bool', 'iif'].map((name) => [name, FILTERS[name]]))

/** `{{ value_json.a.b['c'][0] }}`, the most common template by far, with the path in it. */
const PATH = /^\s*\{\{-?\s*value_json((?:\.[A-Za-z_]\w*|\[\s*(?:'[^']*'|"[^"]*"|\d+)\s*\])*)\s*-?\}\}\s*$/
const STEP = /\.([A-Za-z_]\w*)|\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/g

const compiled = new Map<string, CompiledTemplate>()
const MAX_KEPT = 20_000

/**
 * Compiles a Jinja template of Home Assistant; the same text is compiled once.
 *
 * errors  Error with the parser's words for a text that is no template or that may run without end
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
/** The part of the library's interpreter that works out arguments, which its types keep to itself. */
interface Calls {
  evaluateArguments(args: readonly unknown[], environment: Environment): Arguments
}

/** errors  Error for a rendering that takes too many steps or makes too much text, and whatever the library throws */
function render(template: Template, context: Record<string, unknown>): string {
  const environment = new Environment()
  // Its types know only some of the values that it takes.
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
    // A list of the message that is only looked into costs nothing; one that is printed or made does.
    if (!statement || !isLookup(statement as unknown as Node) || typeof result.value === 'string')
      charge(result)
    return result
  }
  const calls = interpreter as unknown as Calls
  const evaluateArguments = calls.evaluateArguments.bind(interpreter)
  calls.evaluateArguments = (args, scope) => {
    const worked = evaluateArguments(args, scope)
    const all = [...worked[0], ...worked[1].values()]
    if (!ownArguments.has(args) && all.some(({ value }) => String(value ?? '').length > MAX_ARGUMENT))
      throw new Error('an argument in the template is too long')
    return worked
  }
  return interpreter
}

const isLookup = ({ type, printed }: Node): boolean =>
  printed !== true && (type === 'Identifier' || type === 'MemberExpression')

/** Arguments of the filters above, which make nothing larger than what they get. */
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

/** Makes the filters of Home Assistant calls of our functions; refuses what may not end. */
function prepare(node: Node): void {
  if (ENDLESS.has(node.type)) throw new Error(`a template with "${node.type}" is not taken`)
  if (node.type === 'Identifier' && BOUNDLESS.has(String(node['value'])))
    throw new Error(`a template with "${String(node['value'])}" is not taken`)
  if (UNSEEN.has(node.type)) throw new Error(`a template with "${node.type}" is not taken`)
  for (const block of [node['body'], node['alternate']])
    if (Array.isArray(block)) for (const one of block as Node[]) one['printed'] = true
  // `value_json.range` is a field that a device calls so.
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
 * What is not there is in nothing, as Home Assistant has it: `a in list` becomes `a is defined and a in list`. The library
 * says so itself of a list that is not there.
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

/** A message as a template sees it. */
export const contextOf = (message: Incoming): TemplateContext => ({ value: message.text, json: message.json })

/** Python's and JavaScript's words for nothing: a value that is not known. */
export const isUnknown = (text: string): boolean =>
  text === '' || text === 'None' || text === 'null' || text === 'unknown' || text === 'unavailable'
