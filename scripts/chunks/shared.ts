import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { afterFirstScreen, application, needsAntDesign, OFTEN_OPENED } from './application.ts'
import { reachable, type ModuleOf } from './reachable.ts'

const PAGE = resolve('src/main.tsx')
/** What names the files of screens. */
const SCREENS = [resolve('src/routes.tsx'), OFTEN_OPENED]
/** What comes with every screen but the first. */
const ANT_DESIGN = resolve('src/ui/theme/ant-design.tsx')
/** What draws notices and questions, on every screen. */
const HOSTS = [resolve('src/shell/notice-host.tsx'), resolve('src/shell/dialog-host.tsx')]
/** What every screen fetches once it is there, and should not wait for. */
const SOON = resolve('src/background-tasks.ts')
/** A screen that is often opened by its address, and what comes with each screen, counts as much as this many others. */
const OFTEN = 6n
/**
 * What a file costs a screen beside its bytes, in bytes that could have come meanwhile. On a weak mobile line (150 ms, six at a time,
 * 1.6 Mbit/s) it would be 5 kB if nothing else came; with this, screens come with fewer bytes in as many files.
 */
const BYTES_PER_REQUEST = 3_500
/** Source to what goes over the wire, minified and compressed. */
const COMPRESSION = 1 / 7

/** Modules that are one file. */
export interface File {
  modules: readonly string[]
  /** The screens that need them, a bit each. */
  users: bigint
  /** How many those are. */
  count: number
  /** Bytes over the wire, roughly. */
  size: number
}

/**
 * Names chunks for what several screens share beside the application. One file more costs those that need it a request; a larger one costs
 * those that need a part of it the bytes of the rest. Files are put together as long as that costs all of them less.
 */
export function sharedChunks(): Rolldown.CodeSplittingNameFunction {
  let names: ReadonlyMap<string, string> | undefined
  return (id, context) => {
    names ??= new Map(
      sharedFiles((each) => context.getModuleInfo(each)).flatMap(({ modules }, i) =>
        modules.map((module) => [module, `shared~${i}`] as const),
      ),
    )
    return names.get(id) ?? null
  }
}

/**
 * What a plain screen needs, or what comes after the first screen, is put together with nothing else: that would need Ant Design, and
 * a file needs whatever a module of it needs.
 */
function sharedFiles(moduleOf: ModuleOf): File[] {
  const { files, plain } = sharedModules(moduleOf)
  const isPlain = ({ users }: File) => (users & plain) !== 0n
  return [...mergeChunks(files.filter(isPlain)), ...mergeChunks(files.filter((file) => !isPlain(file)))]
}

/** What is neither on the sign-in page nor part of the application, by who fetches it; `plain` are those who fetch nothing of Ant Design. */
function sharedModules(moduleOf: ModuleOf): { files: File[]; plain: bigint } {
  const users = new Map<string, bigint>()
  const there = reachable([PAGE, SOON, ...application(moduleOf)], moduleOf)
  const often = new Set(moduleOf(OFTEN_OPENED)?.dynamicallyImportedIds)
  let bit = 0n
  const addUser = (entries: readonly string[], weight: bigint) => {
    const user = ((1n << weight) - 1n) << bit
    bit += weight
    for (const id of reachable(entries, moduleOf))
      if (!there.has(id)) users.set(id, (users.get(id) ?? 0n) | user)
    return user
  }
  let plain = addUser(afterFirstScreen(moduleOf), OFTEN)
  for (const screen of screensOf(moduleOf)) {
    const weight = often.has(screen) ? OFTEN : 1n
    if (needsAntDesign(screen, moduleOf)) addUser([screen, ANT_DESIGN], weight)
    else plain |= addUser([screen], weight)
  }
  addUser([...HOSTS, ANT_DESIGN], OFTEN)
  const files = new Map<bigint, File>()
  for (const [id, by] of users) {
    const count = ones(by)
    if (count < 2) continue
    const { modules, size } = files.get(by) ?? { modules: [], size: 0 }
    files.set(by, {
      modules: [...modules, id],
      users: by,
      count,
      size: size + (moduleOf(id)?.code?.length ?? 0) * COMPRESSION,
    })
  }
  return { files: [...files.values()], plain }
}

/** The files of screens, which those that name them fetch when a screen is opened. */
const screensOf = (moduleOf: ModuleOf): string[] =>
  [...new Set(SCREENS.flatMap((id) => moduleOf(id)?.dynamicallyImportedIds ?? []))].filter(
    (id) => id !== ANT_DESIGN,
  )

const costOf = ({ count, size }: Pick<File, 'count' | 'size'>) => count * (size + BYTES_PER_REQUEST)

/** Puts those two together whose union saves most, until none saves anything. */
export function mergeChunks(files: readonly File[]): File[] {
  const left = [...files]
  for (;;) {
    let most = 0
    let pair: [number, number] | undefined
    for (let i = 0; i < left.length; i++)
      for (let j = i + 1; j < left.length; j++) {
        const saved = savedBy(left[i] as File, left[j] as File)
        if (saved > most) [most, pair] = [saved, [i, j]]
      }
    if (!pair) return left
    const [i, j] = pair
    const [other] = left.splice(j, 1)
    const [one] = left.splice(i, 1)
    left.push(union(one as File, other as File))
  }
}

function savedBy(one: File, other: File): number {
  // No more users than those of both; most pairs end here.
  const least = Math.max(one.count, other.count) * (one.size + other.size + BYTES_PER_REQUEST)
  const apart = costOf(one) + costOf(other)
  return least >= apart ? 0 : apart - costOf(union(one, other))
}

function union(one: File, other: File): File {
  const users = one.users | other.users
  return {
    modules: [...one.modules, ...other.modules],
    users,
    count: ones(users),
    size: one.size + other.size,
  }
}

function ones(bits: bigint): number {
  let count = 0
  for (let rest = bits; rest > 0n; rest &= rest - 1n) count++
  return count
}
