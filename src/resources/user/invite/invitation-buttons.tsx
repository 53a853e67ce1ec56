import { MailOutlined, StopOutlined } from '@ant-design/icons'
import { useState, type FC } from 'react'
import { invitations } from '../../../../contract/people/invitation-calls.ts'
import type { User } from '../../../../contract/people/user.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as words, useT } from '../../../lib/i18n/i18n.ts'
import { CopyButton } from '../../../ui/inputs/copy-button.tsx'
import { confirm } from '../../../ui/page/dialogs.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { reachable } from './invite-people.ts'
import page from '../../../ui/page/page.module.css'
import { Modal } from '../../../ui/page/dialog.tsx'

/** Buttons that resend or revoke an invitation; renders nothing once it was accepted. */
export const InvitationButtons: FC<{
  row: Pick<User, 'Email' | 'FirstName' | 'LastName' | 'nickname' | 'InvitedUntil'>
}> = ({ row }) => {
  const t = useT()
  const may = useMay('user', 'Create')
  const resending = useAction(invitations.resendInvitation)
  const revoking = useAction(invitations.revokeInvitation)
  const [link, setLink] = useState<string>()
  if (row.InvitedUntil === null || !may) return null
  const { Email } = row
  const name = displayName(row)

  const resend = async () => {
    const result = await resending.run({ Email })
    if (result?.Link !== undefined) setLink(reachable(result.Link))
    else if (result) notices.success(() => words('people:invite.sentTo', { email: Email }))
  }
  const confirmRevocation = () =>
    confirm({
      title: t('people:invite.askResend', { email: Email }),
      content: t('people:invite.resendNote'),
      okText: t('people:invite.resend'),
      cancelText: t('screens:cancel'),
      onOk: resend,
    })
  const revoke = () =>
    confirm({
      title: t('people:invite.askRevoke', { email: Email }),
      content: t('people:invite.revokeNote'),
      okText: t('people:invite.revoke'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () => revoking.run({ Email }, () => words('people:invite.revoked', { email: Email })),
    })
  return (
    <>
      <IconButton
        icon={<MailOutlined />}
        label={t('people:invite.resendTo', { name })}
        loading={resending.busy}
        onPress={confirmRevocation}
      />
      <IconButton
        icon={<StopOutlined />}
        label={t('people:invite.revokeOf', { name })}
        loading={revoking.busy}
        onPress={revoke}
      />
      {link !== undefined && (
        <Modal
          open
          title={t('people:invite.linkOf', { email: Email })}
          footer={null}
          onCancel={() => setLink(undefined)}
        >
          <p>{t('people:invite.linksOnce')}</p>
          <span className={`${page.spread} ${page.words}`}>
            <code>{link}</code>
            <CopyButton value={link} label={t('people:invite.linkOf', { email: Email })} />
          </span>
        </Modal>
      )}
    </>
  )
}
