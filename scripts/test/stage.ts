import { spawn } from 'node:child_process'

/** Results of a stage of `npm test`. */
export interface Stage {
  passed: number
  failed: number
  /** Skipped because an external server is missing. */
  skipped: number
  /** Lines for the summary at the end of the output. */
  notes: string[]
  /** Duration of each test file, in ms. */
  files: { name: string; ms: number }[]
}

export const emptyStage = (): Stage => ({ passed: 0, failed: 0, skipped: 0, notes: [], files: [] })

export const mergeStages = (stages: readonly Stage[]): Stage => ({
  passed: stages.reduce((sum, { passed }) => sum + passed, 0),
  failed: stages.reduce((sum, { failed }) => sum + failed, 0),
  skipped: stages.reduce((sum, { skipped }) => sum + skipped, 0),
  notes: stages.flatMap(({ notes }) => notes),
  files: stages.flatMap(({ files }) => files),
})

/**
 * Runs a command to its end; true if it succeeded.
 *
 * beside  it runs in parallel with others: its output is printed at its end, so that lines do not mix
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
