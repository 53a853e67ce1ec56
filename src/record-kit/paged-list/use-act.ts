import { useState } from 'react'
import { describeFailure, failureDetail } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'

/** Does something that may fail, once at a time; says that it is done, or why not. */
export function useAct(): {
  busy: boolean
  act: (work: () => Promise<unknown>, done?: () => string) => Promise<boolean>
} {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    act: async (work, done) => {
      setBusy(true)
      try {
        await work()
        if (done) notices.success(done)
        return true
      } catch (error) {
        notices.error(() => describeFailure(error), failureDetail(error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
