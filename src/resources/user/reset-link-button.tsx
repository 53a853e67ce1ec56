import { Button, Popconfirm } from 'antd'
import { people } from '../../../contract/procedures/people.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Mails somebody a link with which they set a new password. */
export function ResetLinkButton({ email }: { email: string }) {
  const t = useT()
  const { busy, run } = useAction(people.resetUserPassword)
  return (
    <Popconfirm
      title={t('people:resetLink.ask', { email })}
      description={t('people:resetLink.note')}
      okText={t('people:resetLink.send')}
      onConfirm={() => void run({ Email: email }, () => t('people:resetLink.sent', { email }))}
    >
      <Button loading={busy}>{t('people:resetLink.button')}</Button>
    </Popconfirm>
  )
}
