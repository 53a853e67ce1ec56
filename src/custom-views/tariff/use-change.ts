import { useState } from 'react'
import type { AnyEndpoint, ResultsOf, SentOf } from '../../../contract/kernel/define-endpoint.ts'
import { call, PermissionRefused } from '../../data/api.ts'
import { describeField, describeFailure, failureDetail } from '../../data/failure.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'

/** A change that was refused at some of its fields; `span` is what the path ends with, e.g. the minutes left out. */
export interface Fault {
  path: string
  text: string
}

/** Sends a change, and tells how it went. */
export function useChange() {
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const change = async <E extends AnyEndpoint>(
    endpoint: E,
    input: SentOf<E>,
  ): Promise<ResultsOf<E> | undefined> => {
    setBusy(true)
    setFaults([])
    try {
      const results = await call(endpoint, input)
      notices.success(() => t('tariff:saved'))
      return results
    } catch (error) {
      const fields = Object.entries(callErrorIn(error)?.fields ?? {})
      setFaults(fields.map(([path, reason]) => ({ path, text: describeField(reason) })))
      if (!(error instanceof PermissionRefused) && fields.length === 0)
        notices.error(() => describeFailure(error), failureDetail(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, faults, change }
}
