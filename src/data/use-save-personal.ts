import { useState } from 'react'
import { personal, type PersonalConfig } from '../../contract/procedures/personal.ts'
import { call } from './api.ts'
import { describeFailure, failureDetail } from './failure.ts'
import { t } from '../lib/i18n/i18n.ts'
import { notices } from './notices.ts'
import { putPersonalConfig } from './personal.ts'

/** Saves part of the personal settings; what stands on the screen changes once the gateway has it. */
export function useSavePersonal(): {
  busy: boolean
  /** Answers whether it was saved; the person is told either way. */
  save: (change: Partial<PersonalConfig>) => Promise<boolean>
} {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    save: async (change) => {
      setBusy(true)
      try {
        putPersonalConfig(await call(personal.updatePersonalConfig, change))
        notices.success(() => t('personal:updated'))
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
