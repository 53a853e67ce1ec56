import { useQuery } from '@tanstack/react-query'
import { Alert, Card, Form } from 'antd'
import type { FC } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { right } from '../../../contract/features.ts'
import { visitor as resource, type VisitorRow } from '../../../contract/resources/visitor.ts'
import { visitState } from '../../../contract/rules/access-pass.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { VisitStateTag } from '../../domain/access/visit-state-tag.tsx'
import { pathTo } from '../../paths.ts'
import { call, callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { changesBetween } from '../../record-kit/record-conflict.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useFormZone } from './use-form-zone.ts'
import { useVisitorWords } from './use-visitor-words.ts'
import { VisitorActions } from './visitor-actions.tsx'
import { VisitorFields } from './visitor-fields.tsx'
import { FIELD_NAMES, fromVisitor, toVisitor } from './visitor-values.ts'

/** /VisitorEdit/{visitorID}: one visit, its course and its pass. */
export default function VisitorEdit() {
  const t = useT()
  const { visitorID = '' } = useParams()
  const query = useQuery({
    ...callQuery(resource.operations.get, { VisitorID: visitorID }),
  })
  if (query.data) return <Visit key={visitorID} visitor={query.data} />
  if (!query.error) return <ListSkeleton rows={8} />
  const failure = callErrorIn(query.error)?.failure
  return failure === 'NOT_FOUND' || failure === 'INVALID' ? (
    <MessagePage
      title={t('access:visitor.gone')}
      actions={<Link to={pathTo('VisitorManagement')}>{t('access:visitor.toList')}</Link>}
    />
  ) : (
    <LoadFailed error={query.error} retry={() => void query.refetch()} />
  )
}

const Visit: FC<{ visitor: VisitorRow }> = ({ visitor }) => {
  const t = useT()
  const zone = useFormZone()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const list = pathTo('VisitorManagement')
  const state = visitState(visitor, useNow())
  const over = state === 'left' || visitor.RevokedAt !== null || visitor.AnonymisedAt !== null
  const { base, theirs, stand, save } = useBase(visitor)
  const words = useVisitorWords()
  const host = visitor.HostEmployeeID
    ? { id: visitor.HostEmployeeID, name: visitor.HostName ?? visitor.HostEmployeeID }
    : undefined
  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{visitor.VisitorName || t('access:anonymised')}</h1>
        <VisitStateTag visit={visitor} />
        <div className={styles.tools}>
          <VisitorActions visitor={visitor} removed={() => void navigate(list)} />
        </div>
      </header>
      {visitor.AnonymisedAt !== null ? (
        <Alert showIcon type="info" message={t('access:visitor.anonymisedNote')} />
      ) : (
        over && <Alert showIcon type="info" message={t('access:visitor.overNote')} />
      )}
      <Course visitor={visitor} />
      {visitor.AnonymisedAt === null && (
        <Card>
          <AccessForm
            form={form}
            initial={fromVisitor(visitor, zone)}
            right={right('access_control_visitor', 'Update')}
            over={over}
            cancelTo={list}
            submitText={t('screens:save')}
            names={FIELD_NAMES}
            conflict={
              theirs && {
                changes: changesBetween(base, theirs, words),
                values: fromVisitor(theirs, zone),
                stand: () => stand(theirs),
              }
            }
            submit={async (values) => {
              const { VisitorID, Version } = base
              const changes = changed(toVisitor(values, zone), base)
              const saved = await save(() =>
                call(resource.operations.update, { VisitorID, ...changes, Version }),
              )
              return saved
            }}
            saved={() => {
              notices.success(() => t('screens:updated'))
              void navigate(list)
            }}
          >
            <VisitorFields chosenHost={host} />
          </AccessForm>
        </Card>
      )}
    </section>
  )
}

/** What differs: a window that nobody touched is not sent, as it may lie in the past by now. */
const changed = (values: ReturnType<typeof toVisitor>, before: VisitorRow): Partial<typeof values> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== before[field as keyof VisitorRow]),
  )

const Course: FC<{ visitor: VisitorRow }> = ({ visitor }) => {
  const t = useT()
  const { when, span } = useFormatWhen()
  const times = [
    ['CheckedInAt', visitor.CheckedInAt],
    ['AwayAt', visitor.CheckedOutAt === null ? visitor.AwayAt : null],
    ['CheckedOutAt', visitor.CheckedOutAt],
    ['RevokedAt', visitor.RevokedAt],
  ] as const
  return (
    <Card size="small">
      <dl className={styles.facts}>
        <div>
          <dt>{t('access:fields.Window')}</dt>
          <dd className={styles.numbers}>{span(visitor.ValidFrom, visitor.ValidUntil)}</dd>
        </div>
        {times.map(
          ([field, at]) =>
            at !== null && (
              <div key={field}>
                <dt>{t(`access:fields.${field}`)}</dt>
                <dd className={styles.numbers}>{when(at)}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  )
}
