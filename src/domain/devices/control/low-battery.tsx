import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'

/** Says that a battery is to be replaced; down to whole percent, so that it never seems fuller than it is. */
export const LowBattery: FC<{ percent: number }> = ({ percent }) => {
  const t = useT()
  return <StateTag tone="warning">{t('devices:lowBattery', { percent: Math.floor(percent) })}</StateTag>
}
