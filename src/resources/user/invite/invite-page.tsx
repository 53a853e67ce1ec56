import { useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { RecordPage } from '../../../record-kit/record-page.tsx'
import page from '../../../ui/page/page.module.css'
import { InviteForm } from './invite-form.tsx'
import type { Outcome } from './invite-people.ts'
import { Links } from './outcomes.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'

/** Query value of the form with an initial password, for people without email or who must sign in at once. */
export const BY_PASSWORD = 'password'

/** Page that invites one or many people with their rights, and shows the links if the gateway sends no email. */
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
