import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'

/** Warning that a battery must be replaced; rounds the percentage down so that it is never overstated. */
export const LowBattery: FC<{ percent: number }> = ({ percent }) => {
  const t = useT()
  return <StateTag tone="warning">{t('devices:lowBattery', { percent: Math.floor(percent) })}</StateTag>
}
