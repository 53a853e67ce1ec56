import { spawn } from 'node:child_process'

/** What a stage of `npm test` has to say. */
export interface Stage {
  passed: number
  failed: number
  /** For want of an outside server. */
  skipped: number
  /** Lines for the end, where one looks. */
  notes: string[]
  /** How long each test file took, in ms. */
  files: { name: string; ms: number }[]
}

export const emptyStage = (): Stage => ({ passed: 0, failed: 0, skipped: 0, notes: [], files: [] })

/** Stages as one. */
export const mergeStages = (stages: readonly Stage[]): Stage => ({
  passed: stages.reduce((sum, { passed }) => sum + passed, 0),
  failed: stages.reduce((sum, { failed }) => sum + failed, 0),
  skipped: stages.reduce((sum, { skipped }) => sum + skipped, 0),
  notes: stages.flatMap(({ notes }) => notes),
  files: stages.flatMap(({ files }) => files),
})

/**
 * Runs a command to its end; true when it succeeded.
 *
 * beside  it runs beside others: its output is printed when it has ended, so that lines do not mix
 */
export async function run(
  title: string,
  command: readonly string[],
  { env = {}, beside = false }: { env?: NodeJS.ProcessEnv; beside?: boolean } = {},
): Promise<boolean> {
  const [file, ...args] = command as [string, ...string[]]
  if (!beside) console.log(`\n▶ ${title}`)
  const child = spawn(file, args, {
    stdio: ['inherit', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void printed.push(chunk))
  const status = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`))
      resolve(null)
    })
    child.on('close', resolve)
  })
  if (beside) process.stdout.write(`\n▶ ${title}\n${Buffer.concat(printed).toString()}`)
  return status === 0
}
