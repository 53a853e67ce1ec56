import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EMITTED_CHANGES, neverEmitted } from '../emitted-changes.ts'
import { emptyStage, run, type Stage } from './stage.ts'

/** Maximum number of failed files that are retried: more indicate a real defect. */
const MAX_RETRIED_FILES = 10

/** A file in vitest's report, times in epoch ms. */
export interface TestFile {
  name: string
  status: string
  startTime: number
  endTime: number
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

/** Runs all tests of vitest: process tests with one worker in parallel with the others, and the cluster tests afterwards. */
export async function runVitest(scratch: string): Promise<Stage> {
  const runs = await Promise.all([
    vitest(scratch, 'Unit, wire and web tests', ['--project=unit', '--project=wire', '--project=web']),
    vitest(scratch, 'Process tests', ['--project=process', '--maxWorkers=1'], true),
  ])
  // Cluster tests assert deadlines of seconds, so nothing else may use the processor meanwhile.
  runs.push(await vitest(scratch, 'Cluster tests', ['--project=cluster']))
  const first = runs.flatMap(({ files }) => files ?? [])
  const again = await retryFailed(scratch, first)
  const stage = countFiles(first, again.files)
  for (const { title, green, files } of runs) {
    if (!files) stage.notes.push(`${title}: ended without a report`)
    else if (green && !files.length) stage.notes.push(`${title}: ran no test`)
    if (!files?.length) stage.failed += 1
  }
  // A run may fail outside any test, by an uncaught error: that counts as a failure too.
  if (runs.some(({ green }) => !green) && !again.green && stage.failed === 0) stage.failed = 1
  const missing = neverEmitted(changesFile(scratch))
  if (missing.length && stage.failed === 0) {
    stage.failed = 1
    stage.notes.push('Failed: declared as changed by a call, and changed in no test:', ...missing)
  }
  if (stage.skipped)
    stage.notes.push(`Vitest: ${stage.skipped} skipped for want of an outside server; see above`)
  return stage
}

async function vitest(scratch: string, title: string, args: readonly string[], isConcurrent = false) {
  const report = join(scratch, `${title}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const green = await run(title, ['npx', 'vitest', 'run', ...args, ...reporters], {
    env: { [EMITTED_CHANGES]: changesFile(scratch) },
    beside: isConcurrent,
  })
  return { title, green, files: readReport(report) }
}

/** File in which the workers of a run record the changes of calls. */
const changesFile = (scratch: string) => join(scratch, 'changes.txt')

function readReport(path: string): TestFile[] | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    return undefined
  }
}

/** Retries failed files once, each as a whole: tests may fail on a busy machine. */
async function retryFailed(scratch: string, first: readonly TestFile[]) {
  const failedFiles = first.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (!failedFiles.length || failedFiles.length > MAX_RETRIED_FILES) return { green: false, files: [] }
  const { green, files = [] } = await vitest(scratch, 'Second try', failedFiles)
  return { green, files }
}

/** Counts the tests of files, with the second result of retried ones, and names those that failed or passed only on the retry. */
export function countFiles(first: readonly TestFile[], again: readonly TestFile[]): Stage {
  const stage = emptyStage()
  for (const file of first) {
    const last = again.find(({ name }) => name === file.name) ?? file
    const [passed, failed] = [countOf(last, 'passed'), countOf(last, 'failed')]
    stage.passed += passed
    stage.failed += last.status === 'failed' ? Math.max(1, failed) : 0
    stage.skipped += last.assertionResults.length - passed - failed
    stage.files.push({ name: file.name, ms: file.endTime - file.startTime })
    if (file.status === 'failed') stage.notes.push(...notesOn(file, last))
  }
  return stage
}

const countOf = ({ assertionResults }: TestFile, wanted: string) =>
  assertionResults.filter(({ status }) => status === wanted).length

function notesOn(file: TestFile, last: TestFile): string[] {
  const outcome = last.status === 'failed' ? 'Failed' : 'Passed on the second try'
  const failedTests = file.assertionResults.filter(({ status }) => status === 'failed')
  if (!failedTests.length) return [`${outcome}: ${file.name}`]
  return failedTests.flatMap(({ fullName, failureMessages }) => [
    `${outcome}: ${file.name} › ${fullName}`,
    ...failureMessages.map(beginning),
  ])
}

const beginning = (message: string) => `  ${message.split('\n').slice(0, 4).join('\n  ')}`
