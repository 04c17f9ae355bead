import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { packageRoot } from '../../../src/system/paths.ts'

const amount = z.int()
const lines = z.array(z.string())

const endSchema = z.strictObject({
  receivables: amount,
  inventories: amount,
  otherCurrentAssets: amount,
  propertyPlantEquipment: amount,
  intangibleAssets: amount,
  otherNonCurrentAssets: amount,
  shortTermBorrowings: amount,
  otherCurrentLiabilities: amount,
  longTermBorrowings: amount,
  otherNonCurrentLiabilities: amount,
})

const periodSchema = z.strictObject({
  revenue: amount,
  costOfSales: amount,
  taxesAndSurcharges: amount,
  sellingExpenses: amount,
  administrativeExpenses: amount,
  researchExpenses: amount,
  financeCosts: amount,
  otherIncome: amount,
  nonOperatingIncome: amount,
  nonOperatingExpenses: amount,
  incomeTax: amount,
  cashFromCustomers: amount,
  cashToSuppliers: amount,
  cashToEmployees: amount,
  taxesPaid: amount,
  otherOperatingPayments: amount,
  capitalExpenditure: amount,
  disposalProceeds: amount,
  investmentsBought: amount,
  borrowingsRaised: amount,
  borrowingsRepaid: amount,
  dividendsPaid: amount,
  interestPaid: amount,
  end: endSchema.optional(),
})

const companySchema = z.strictObject({
  slug: z.string(),
  name: z.string(),
  shortName: z.string(),
  stockCode: z.string(),
  language: z.enum(['zh', 'en']),
  city: z.string(),
  staff: z.int(),
  auditor: z.string(),
  /** The unit above the tables of the statements, and the format of amounts. */
  unit: z.strictObject({ label: z.string(), cny: z.number(), decimals: z.int() }),
  /** The number of yuan in one unit of the integers below. */
  grainCny: z.number(),
  /** The number of shares, with a par value of one yuan each. */
  shares: amount,
  /** Shares of revenue in percent by name. The last segment has the rest. */
  segments: z.array(z.strictObject({ name: z.string(), percent: z.number() })),
  prose: z.strictObject({ business: lines, market: lines, risks: lines, outlook: lines }),
  holders: z.array(z.strictObject({ name: z.string(), percent: z.number() })),
  /** Balances at the end of 2020. */
  opening: endSchema.extend({
    cash: amount,
    capitalReserve: amount,
    surplusReserve: amount,
    tradePayables: amount,
  }),
  /** Years (`2023`) and quarters (`2024-Q1`). */
  periods: z.record(z.string(), periodSchema),
})

/** The invented data of a company. Its statements, reports and gold are calculated from it. */
export type Company = z.infer<typeof companySchema>
export type PeriodData = z.infer<typeof periodSchema>
export type EndData = z.infer<typeof endSchema>

/**
 * Reads companies/<slug>.json.
 *
 * @throws Error when the file is invalid
 */
export function readCompany(slug: string): Company {
  const path = join(packageRoot, 'tasks', 'demo', 'build', 'companies', `${slug}.json`)
  return companySchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}
