import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { Name } from '../kernel/scalars.ts'

/** Public part of a company's profile; LogoUrl is null until a logo is uploaded (§3). */
export const CompanyPublicProfile = z.object({
  LogoName: z.string().max(64),
  LogoUrl: z.string().max(512).nullable(),
})
export type CompanyPublicProfile = z.infer<typeof CompanyPublicProfile>

/** Profile of the company (§3). LogoName is the title next to the logo. */
export const CompanyProfile = CompanyPublicProfile.extend({ CompanyName: Name })
export type CompanyProfile = z.infer<typeof CompanyProfile>

const Names = CompanyProfile.pick({ CompanyName: true, LogoName: true }).partial()

export const company = {
  getCompanyProfile: defineEndpoint({
    path: '/GetCompanyProfile',
    summary: "The company's name, title and logo.",
    access: 'signed-in',
    sites: 'company',
    input: z.object({}),
    results: CompanyProfile,
    shows: ['company'],
    inPlace: true,
  }),
  getCompanyPublicProfile: defineEndpoint({
    path: '/GetCompanyPublicProfile',
    summary: 'Title and logo for the sign-in page if the gateway serves one company; empty otherwise.',
    access: 'public',
    sites: 'none',
    input: z.object({}),
    results: CompanyPublicProfile,
    shows: ['company'],
  }),
  updateCompanyProfile: defineEndpoint({
    path: '/UpdateCompanyProfile',
    summary: "Changes the company's name or title. Rejected if one differs from its value in Seen.",
    access: right('company', 'Update'),
    sites: 'company',
    input: Names.extend({ Seen: Names.optional() }),
    results: CompanyProfile,
    errors: ['CONFLICT'],
    mutates: true,
    changes: ['company'],
  }),
}
