import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'

/** A visitor's pass: to scan from the screen, to print, to mail. */
export const VisitorPass: FC<{ visitor: VisitorRow; close: () => void }> = ({ visitor, close }) => {
  const t = useT()
  const { span } = useFormatWhen()
  const { busy, run } = useAction(accessControl.mailVisitorPass)
  const mayMail = useMay('access_control_visitor', 'Update')
  const { VisitorID, VisitorName: name, Email: email } = visitor
  const query = useQuery({
    ...callQuery(accessControl.getVisitorPass, { VisitorID }),
  })
  const mail = () => run({ VisitorID }, () => t('access:pass.mailed', { email }))
  return (
    <PassDialog
      title={t('access:pass.title')}
      name={name}
      pass={query}
      close={close}
      action={
        mayMail && (
          <Button loading={busy} onClick={() => void mail()}>
            {t('access:pass.mail')}
          </Button>
        )
      }
    >
      {visitor.Company && <span>{visitor.Company}</span>}
      <span>{span(visitor.ValidFrom, visitor.ValidUntil)}</span>
      {visitor.HostName && <span>{t('access:pass.host', { name: visitor.HostName })}</span>}
      <span>{t('access:pass.note')}</span>
    </PassDialog>
  )
}
