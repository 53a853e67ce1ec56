import { useState } from 'react'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { CallError } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { imageTypeOf, type ImageType } from '../../lib/image-type.ts'

/** Kind and size in bytes were right: what the gateway still does not take cannot be drawn, unless it says more. */
const REFUSED = 400

export interface Upload {
  busy: boolean
  /** Why the last picture was not taken, in words. */
  problem: string | undefined
  reset: () => void
  upload: (file: File) => Promise<unknown>
  /** Does something else with the picture, whose failure is told in the same place. */
  run: (work: () => Promise<string | void>) => Promise<unknown>
}

/**
 * Uploads a picture. Wrong kinds are refused before anything is sent.
 *
 * target   asks the gateway where to put a picture of this type
 * reasons  words for what the gateway says of a picture that it refuses, by reason; without, that it cannot be read
 */
export function useUpload(
  target: (type: ImageType) => Promise<{ UploadUrl: string; MaxBytes: number }>,
  reasons: Readonly<Record<string, string>> = {},
): Upload {
  const t = useT()
  const [problem, setProblem] = useState<string>()

  /** Why a file is not taken; undefined when it has been stored. */
  const refusal = async (file: File): Promise<string | undefined> => {
    // Not as it is named: phones and browsers save a webp under the name of a jpg.
    const type = await imageTypeOf(file)
    if (!type) return t('screens:picture.type')
    const { UploadUrl, MaxBytes } = await target(type)
    if (file.size > MaxBytes)
      return t('screens:picture.size', { megabytes: Math.floor(MaxBytes / 1_048_576) })
    const answer = await fetch(UploadUrl, { method: 'PUT', body: file, headers: { 'content-type': type } })
    if (answer.ok) {
      notices.success(() => words('screens:picture.done'))
      return undefined
    }
    if (answer.status !== REFUSED) return t('screens:picture.failed')
    return reasons[await reasonIn(answer)] ?? t('screens:picture.unreadable')
  }
  const { busy, run } = useAction(async (work: () => Promise<string | void>) => {
    setProblem(undefined)
    try {
      setProblem((await work()) ?? undefined)
    } catch (error) {
      setProblem(error instanceof CallError ? describeFailure(error) : t('screens:picture.failed'))
    }
  })
  return {
    busy,
    problem,
    reset: () => setProblem(undefined),
    upload: (file) => run(() => refusal(file)),
    run,
  }
}

/** What an answer says of the file; empty when it says nothing that can be read. */
async function reasonIn(answer: Response): Promise<string> {
  const said: unknown = await answer.json().catch(() => undefined)
  const { file } = (said as { status?: { fields?: { file?: unknown } } } | undefined)?.status?.fields ?? {}
  return typeof file === 'string' ? file : ''
}
