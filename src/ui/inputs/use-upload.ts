import { useState } from 'react'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { CallError } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { imageTypeOf, type ImageType } from '../../lib/image-type.ts'

/** Type and size were valid: the gateway could not decode the picture, unless it gives another reason. */
const REFUSED = 400

export interface Upload {
  busy: boolean
  /** Reason why the last picture was rejected, in the user's language. */
  problem: string | undefined
  reset: () => void
  upload: (file: File) => Promise<unknown>
  /** Runs another action on the picture; its failure is shown in the same place. */
  run: (work: () => Promise<string | void>) => Promise<unknown>
}

/**
 * Uploads a picture. Unsupported types are rejected before the upload.
 *
 * target   requests an upload URL for a picture of this type from the gateway
 * reasons  texts of the gateway's reasons for rejecting a picture; without one, the text is that it cannot be read
 */
export function useUpload(
  target: (type: ImageType) => Promise<{ UploadUrl: string; MaxBytes: number }>,
  reasons: Readonly<Record<string, string>> = {},
): Upload {
  const t = useT()
  const [problem, setProblem] = useState<string>()

  /** Reason why a file is rejected; undefined after it has been stored. */
  const refusal = async (file: File): Promise<string | undefined> => {
    // By content, not by name: phones and browsers save a webp with the extension jpg.
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

/** Reason in a response; empty if there is none that can be read. */
async function reasonIn(answer: Response): Promise<string> {
  const reply: unknown = await answer.json().catch(() => undefined)
  const { file } = (reply as { status?: { fields?: { file?: unknown } } } | undefined)?.status?.fields ?? {}
  return typeof file === 'string' ? file : ''
}
