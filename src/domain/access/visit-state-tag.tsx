import type { FC } from 'react'
import { visitState, type Visit, type VisitState } from '../../../contract/access-control/access-pass.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'

const TONES: Record<VisitState, Tone> = {
  expected: 'plain',
  inside: 'good',
  overdue: 'alarm',
  left: 'offline',
  missed: 'warning',
  revoked: 'warning',
}

export const VisitStateTag: FC<{ visit: Visit }> = ({ visit }) => {
  const t = useT()
  const state = visitState(visit, useNow())
  return <StateTag tone={TONES[state]}>{t(`access:states.${state}`)}</StateTag>
}
