import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { afterFirstScreen, application, DIRECT_SCREENS, needsAntDesign, ROUTES } from './application.ts'
import { reachable, type ModuleOf } from './reachable.ts'

const PAGE = resolve('src/main.tsx')
/** Modules that import the screens. */
const SCREENS = [ROUTES, resolve('src/screens.ts')]
/** Module that loads with every screen except plain ones. */
const ANT_DESIGN = resolve('src/ui/page/ant-design.tsx')
/** Components that show notices and dialogs, on every screen. */
const HOSTS = [resolve('src/shell/notice-host.tsx'), resolve('src/shell/dialog-host.tsx')]
/** Module that every screen loads after it is shown, without waiting for it. */
const SOON = resolve('src/background-tasks.ts')
/** Weight of a screen that is often opened by its address, and of modules that load with each screen, relative to other screens. */
const OFTEN = 6n
/**
 * Cost of one more file, in bytes that could be transferred instead. On a weak mobile line (150 ms latency, six parallel requests,
 * 1.6 Mbit/s) it would be 5 kB if nothing else were loading; this lower value makes screens load fewer bytes in as many files.
 */
const BYTES_PER_REQUEST = 3_500
/** Ratio of transferred bytes, minified and compressed, to source length. */
const COMPRESSION = 1 / 7

/** Modules of one file. */
export interface File {
  modules: readonly string[]
  /** Bit set of the screens that need them; a screen with a weight has several bits. */
  users: bigint
  /** Number of bits in `users`. */
  count: number
  /** Estimated transferred bytes. */
  size: number
}

/**
 * Assigns modules that several screens share, and that are not in the application, to chunks. One more file costs its screens a request;
 * a larger file costs screens that need only a part of it the bytes of the rest. Files are merged while that lowers the total cost.
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
 * Merges modules that plain screens or `afterFirstScreen` need only among themselves: a file needs whatever one of its modules needs,
 * so other modules would make them load Ant Design.
 */
function sharedFiles(moduleOf: ModuleOf): File[] {
  const { files, plain } = sharedModules(moduleOf)
  const isPlain = ({ users }: File) => (users & plain) !== 0n
  return [...mergeChunks(files.filter(isPlain)), ...mergeChunks(files.filter((file) => !isPlain(file)))]
}

/** Groups modules outside the sign-in page and the application by their users; `plain` are the users that need no Ant Design. */
function sharedModules(moduleOf: ModuleOf): { files: File[]; plain: bigint } {
  const users = new Map<string, bigint>()
  const there = reachable([PAGE, SOON, ...application(moduleOf)], moduleOf)
  const often = new Set(DIRECT_SCREENS)
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

/** Module ids of the screens, which load when they are opened. */
const screensOf = (moduleOf: ModuleOf): string[] =>
  [...new Set(SCREENS.flatMap((id) => moduleOf(id)?.dynamicallyImportedIds ?? []))].filter(
    (id) => id !== ANT_DESIGN,
  )

const costOf = ({ count, size }: Pick<File, 'count' | 'size'>) => count * (size + BYTES_PER_REQUEST)

/** Merges the pair of files that saves most, until no pair saves anything. */
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
  // Lower bound of the merged cost; it rules out most pairs.
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
