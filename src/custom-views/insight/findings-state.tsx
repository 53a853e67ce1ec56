import type { Finding } from '../../../contract/findings/calls.ts'
import { NON_HEADLINE_KINDS } from '../../../contract/findings/finding-life.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'

const TONES: Readonly<Record<Finding['State'], Tone>> = {
  open: 'warning',
  accepted: 'on',
  done: 'on',
  verified: 'good',
  notSeen: 'plain',
  tooUncertain: 'plain',
  dismissed: 'plain',
  expired: 'plain',
}

export function FindingState({ finding, isBrief = false }: { finding: Finding; isBrief?: boolean }) {
  const t = useT()
  const { State, OwnerName, Due, Confidence, Kind } = finding
  const isOpen = State === 'open' && !isBrief
  return (
    <span className={`${page.column} ${page.words}`}>
      <StateTag tone={TONES[State]}>{t(`insight:findings.states.${State}`)}</StateTag>
      {(OwnerName !== null || Due !== null) && (
        <small>{[OwnerName, Due].filter((part) => part !== null).join(' · ')}</small>
      )}
      {isOpen && Confidence === 'low' && <small>{t('insight:findings.confidences.low')}</small>}
      {isOpen && Confidence !== 'low' && NON_HEADLINE_KINDS.has(Kind) && (
        <small>{t('insight:findings.apart')}</small>
      )}
    </span>
  )
}
