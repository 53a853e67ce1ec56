import { useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { RecordPage } from '../../../record-kit/record-page.tsx'
import page from '../../../ui/page/page.module.css'
import { InviteForm } from './invite-form.tsx'
import type { Outcome } from './invite-people.ts'
import { Links } from './outcomes.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'

/** The form of an initial password, for whoever has no mail, or is to sign in at once. */
export const BY_PASSWORD = 'password'

/** Invites people: an address or many, what they are to do here, and the link where no mail goes out. */
export function InvitePage() {
  const t = useT()
  const [links, setLinks] = useState<readonly Outcome[]>()
  const [again, setAgain] = useState<readonly Outcome[]>([])
  return (
    <RecordPage
      title={t('resources:user.create')}
      head={
        <div className={page.tools}>
          <ButtonLink to={`${pathTo('addUser')}?by=${BY_PASSWORD}`}>
            {t('people:invite.byPassword')}
          </ButtonLink>
        </div>
      }
    >
      {links ? (
        <Links
          outcomes={links}
          more={() => {
            setAgain(links.filter(({ invited }) => !invited))
            setLinks(undefined)
          }}
        />
      ) : (
        <InviteForm again={again} handOn={setLinks} />
      )}
    </RecordPage>
  )
}
