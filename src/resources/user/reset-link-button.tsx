import { Button } from 'antd'
import { people } from '../../../contract/people/calls.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'

/** Mails somebody a link with which they set a new password. */
export function ResetLinkButton({ email }: { email: string }) {
  const t = useT()
  const { busy, run } = useAction(people.resetUserPassword)
  const ask = () =>
    confirm({
      title: t('people:resetLink.ask', { email }),
      content: t('people:resetLink.note'),
      okText: t('people:resetLink.send'),
      cancelText: t('screens:cancel'),
      onOk: () => void run({ Email: email }, () => t('people:resetLink.sent', { email })),
    })
  return (
    <Button loading={busy} onClick={ask}>
      {t('people:resetLink.button')}
    </Button>
  )
}
