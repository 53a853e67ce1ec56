import type { FC, ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { hasFurtherConditions, isFurtherPath } from '../rules/draft.ts'
import type { RuleKind } from '../rules/kinds.ts'
import { type PartProps } from './field.tsx'
import { Fold } from '../../../record-kit/fold.tsx'

type Props = Pick<PartProps, 'draft' | 'reasons'> & { kind: RuleKind; children: ReactNode }

/** Settings of the trigger that most rules leave at their defaults. */
export const MoreConditions: FC<Props> = ({ draft, reasons, kind, children }) => {
  const t = useT()
  return (
    <Fold
      label={t('automation:rule.edit.more')}
      isOpenAtFirst={hasFurtherConditions(draft, kind)}
      isForcedOpen={Object.keys(reasons).some(isFurtherPath)}
    >
      {children}
    </Fold>
  )
}
