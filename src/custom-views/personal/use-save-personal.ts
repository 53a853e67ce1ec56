import { useState } from 'react'
import { personal, type PersonalConfig } from '../../../contract/procedures/personal.ts'
import { call } from '../../providers/api.ts'
import { describeFailure } from '../../providers/failure.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { putPersonalConfig } from '../../providers/personal.ts'

/** Saves part of the personal settings; what stands on the screen changes once the gateway has it. */
export function useSavePersonal(): {
  busy: boolean
  save: (change: Partial<PersonalConfig>) => Promise<void>
} {
  const t = useT()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    save: async (change) => {
      setBusy(true)
      try {
        putPersonalConfig(await call(personal.updatePersonalConfig, change))
        notices.success(() => t('screens:updated'))
      } catch (error) {
        notices.error(() => describeFailure(error))
      } finally {
        setBusy(false)
      }
    },
  }
}
