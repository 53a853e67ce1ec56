import { Alert, Button, Card } from 'antd'
import type { FC } from 'react'
import { describeRefusal } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { CopyButton } from '../../../ui/inputs/copy-button.tsx'
import page from '../../../ui/page/page.module.css'
import { reachable, type Outcome } from './invite-people.ts'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'

/** People whose invitation failed, with the reasons. */
export const Refused: FC<{ outcomes: readonly Outcome[] }> = ({ outcomes }) => {
  const t = useT()
  return (
    <Alert
      showIcon
      type="error"
      role="alert"
      message={t('people:invite.refused', { count: outcomes.length })}
      description={
        <ul className={page.tightStack}>
          {outcomes.map(({ email, error }) => (
            <li key={email}>{t('people:invite.why', { email, why: describeRefusal(error) })}</li>
          ))}
        </ul>
      }
    />
  )
}

/** Invitation links to pass on by hand, because the gateway sends no email. They are shown only once. */
export const Links: FC<{ outcomes: readonly Outcome[]; onInviteMore: () => void }> = ({
  outcomes,
  onInviteMore,
}) => {
  const t = useT()
  const refused = outcomes.filter(({ invited }) => !invited)
  return (
    <Card>
      <div className={page.stack}>
        <Alert showIcon type="warning" message={t('people:invite.linksOnce')} />
        <ul className={page.tightStack}>
          {outcomes.map(
            ({ email, invited }) =>
              invited && (
                <li key={email}>
                  <b>{email}</b>
                  {invited.Link === undefined ? (
                    <span className={page.muted}>{t('people:invite.onItsWay')}</span>
                  ) : (
                    <span className={`${page.spread} ${page.words}`}>
                      <code>{reachable(invited.Link)}</code>
                      <CopyButton
                        value={reachable(invited.Link)}
                        label={t('people:invite.linkOf', { email })}
                      />
                    </span>
                  )}
                </li>
              ),
          )}
        </ul>
        {refused.length > 0 && <Refused outcomes={refused} />}
        <div className={page.actions}>
          <Button onClick={onInviteMore}>{t('people:invite.more')}</Button>
          <ButtonLink main to={pathTo('UserListing')}>
            {t('resources:user.toList')}
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}
