import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import { useAction } from '../../data/use-action.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useBriefly } from '../../ui/page/use-briefly.ts'
import { useNow } from '../../ui/page/use-now.ts'

type VisitCall = (typeof accessControl)['checkInVisitor' | 'checkOutVisitor' | 'revokeVisitor']

/** Action that changes the state of a visit. */
export function useVisit({ VisitorID }: VisitorRow) {
  return useAction((endpoint: VisitCall, send) => send(endpoint, { VisitorID }))
}

/** Time after a check-in in which a second tap on the same place does not check out, ms. */
const SETTLING_MS = 2_000

/** Checks a visitor in or out; renders nothing before and after the visit. */
export const CheckVisitor: FC<{ visitor: VisitorRow; main?: boolean }> = ({ visitor, main = false }) => {
  const t = useT()
  const mayUpdate = useMay('access_control_visitor', 'Update')
  const state = visitState(visitor, useNow())
  const { VisitorName: name } = visitor
  const act = useVisit(visitor)
  const [isSettling, setSettling] = useBriefly(SETTLING_MS)
  if (!mayUpdate) return null
  const checkIn = async () => {
    const done = await act.run(accessControl.checkInVisitor, () => t('access:visitor.checkedIn', { name }))
    setSettling(done !== undefined)
  }
  const checkOut = () =>
    act.run(accessControl.checkOutVisitor, () => t('access:visitor.checkedOut', { name }))
  const shared = { loading: act.busy, ...(main && { type: 'primary' as const }) }
  if (state === 'expected')
    return (
      <Button {...shared} onClick={() => void checkIn()}>
        {t('access:visitor.checkIn')}
      </Button>
    )
  return state === 'inside' || state === 'overdue' ? (
    <Button {...shared} disabled={isSettling} onClick={() => void checkOut()}>
      {t('access:visitor.checkOut')}
    </Button>
  ) : null
}
