import { Alert, Card } from 'antd'
import type { FC } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import page from '../../ui/page/page.module.css'
import { PersonDataButtons } from '../../domain/person-data/person-data-buttons.tsx'
import { VisitStateTag } from '../../domain/access/visit-state-tag.tsx'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { FormCard, OneRecordPage, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { useFormZone, useVisitorFields } from './use-visitor-fields.tsx'
import { CheckVisitor } from '../../domain/access/check-visitor.tsx'
import { EndVisit, VisitorPassItem } from './visitor-actions.tsx'
import { FIELD_NAMES, fromVisitor, toVisitor } from './visitor-values.ts'
import { RowMenu } from '../../ui/table/row-menu.tsx'

const describeMissing = () => ({
  title: words('access:visitor.gone'),
  toList: words('access:visitor.toList'),
})

/** One visit with its history and pass. */
export function VisitorEdit() {
  const { visitorID = '' } = useParams()
  return (
    <OneRecordPage
      key={visitorID}
      resource="visitor"
      id={{ VisitorID: visitorID }}
      missingTexts={describeMissing}
      list={pathTo('VisitorManagement')}
    >
      {(visitor, isDeleted) => <Visit visitor={visitor} isDeleted={isDeleted} />}
    </OneRecordPage>
  )
}

const Visit: FC<{ visitor: VisitorRow; isDeleted: boolean }> = ({ visitor, isDeleted }) => {
  const t = useT()
  const zone = useFormZone()
  const navigate = useNavigate()
  const list = pathTo('VisitorManagement')
  const state = visitState(visitor, useNow())
  const isOver = state === 'left' || visitor.RevokedAt !== null || visitor.AnonymisedAt !== null
  const { HostEmployeeID: id, HostName } = visitor
  const fields = useVisitorFields({ host: id ? { id, name: HostName ?? id } : undefined })
  const edited = useRecordForm('visitor', visitor, {
    toForm: (record) => ({ ...fromVisitor(record as VisitorRow, zone) }),
    toInput: (values) => toVisitor(values, zone),
  })
  return (
    <RecordPage
      title={visitor.VisitorName || t('access:anonymised')}
      head={
        <>
          <VisitStateTag visit={visitor} />
          <span className={page.buttonAndMenu}>
            <CheckVisitor main visitor={visitor} />
            <RowMenu name={visitor.VisitorName || t('access:anonymised')}>
              <VisitorPassItem visitor={visitor} />
              <EndVisit visitor={visitor} removed={() => void navigate(list)} />
              {visitor.AnonymisedAt === null && (
                <PersonDataButtons
                  of={{ VisitorID: visitor.VisitorID }}
                  name={visitor.VisitorName}
                  email={visitor.Email}
                  erased={() => void navigate(list)}
                />
              )}
            </RowMenu>
          </span>
        </>
      }
    >
      {visitor.AnonymisedAt !== null ? (
        <Alert showIcon type="info" message={t('access:visitor.anonymisedNote')} />
      ) : (
        isOver && <Alert showIcon type="info" message={t('access:visitor.overNote')} />
      )}
      <Course visitor={visitor} />
      {visitor.AnonymisedAt === null && (
        <FormCard
          resource="visitor"
          formState={edited}
          record={visitor}
          fields={fields}
          names={FIELD_NAMES}
          isReadOnly={isOver}
          isMissing={isDeleted}
          cancelTo={list}
          submit={async (values) => {
            if (await edited.save(values)) void navigate(list)
          }}
        />
      )}
    </RecordPage>
  )
}

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
      <dl className={page.fields}>
        <div>
          <dt>{t('access:fields.Window')}</dt>
          <dd className={page.figures}>{span(visitor.ValidFrom, visitor.ValidUntil)}</dd>
        </div>
        {times.map(
          ([field, at]) =>
            at !== null && (
              <div key={field}>
                <dt>{t(`access:fields.${field}`)}</dt>
                <dd className={page.numbers}>{when(at)}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  )
}
