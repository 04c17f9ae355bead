/** The accounting policies of all English reports. */
export const accountingPolicies: readonly (readonly [title: string, text: string])[] = [
  [
    'Basis of preparation',
    'The statements are prepared under the Accounting Standards for Business Enterprises and the disclosure rules of the securities regulator. The board has examined the ability to go on for at least twelve months from the end of the reporting period and found no event that casts doubt on it. Items are measured at historical cost unless a policy below says otherwise. The accounting year is the calendar year, the functional currency the renminbi.',
  ],
  [
    'Consolidation',
    'Subsidiaries are consolidated from the day on which control is gained until the day on which it is lost. Control exists where the Company has power over an entity, is exposed to variable returns from it, and can use its power to affect those returns. Balances, transactions and unrealised profits within the Group are eliminated in full. All subsidiaries are wholly owned, so that no minority interest is shown.',
  ],
  [
    'Cash and cash equivalents',
    'Cash comprises cash on hand and deposits that can be drawn at any time. Cash equivalents are short-term, highly liquid investments that can be turned into known amounts of cash and bear little risk of a change in value, as a rule with a term of no more than three months from purchase. Deposits pledged as security for bills are left out and shown under other current assets.',
  ],
  [
    'Foreign currencies',
    'Transactions in foreign currencies are translated at the rate of the day. Monetary items are translated again at the closing rate, and the differences go to finance costs unless they arise on borrowings for qualifying assets. Statements of foreign branches are translated at the closing rate for assets and liabilities and at average rates for income and expenses.',
  ],
  [
    'Financial assets',
    'On first recognition financial assets are classified by the business model within which they are held and by their contractual cash flows. Trade receivables without a significant financing part are measured at the transaction price. Debt instruments that are held to collect payments of principal and interest are carried at amortised cost; equity instruments are carried at fair value, with changes in profit or loss.',
  ],
  [
    'Impairment of receivables',
    'For trade receivables the Group recognises expected credit losses over their whole life. Customers are grouped by type and by days past due, and loss rates are taken from the experience of the last five years, adjusted for what is expected of the economy. Receivables that are disputed, or owed by customers in liquidation, are examined one by one. A receivable is written off when there is no reasonable prospect of recovery.',
  ],
  [
    'Inventories',
    'Inventories are raw materials, work in progress, finished goods and goods in transit. They are carried at the lower of cost and net realisable value. Cost is found by the weighted average method and includes the part of overheads that falls on normal capacity. Net realisable value is the estimated selling price less the costs to complete and to sell. Write-downs are reversed when their reasons cease to exist. Stocks are counted in full at least once a year.',
  ],
  [
    'Property, plant and equipment',
    'Items are recognised when they are held for use over more than one year and their cost can be measured. They are depreciated by the straight-line method over 20 to 40 years for buildings, 8 to 15 years for machinery, 4 to 6 years for vehicles and 3 to 5 years for office equipment, with residual values of 3 to 5 percent. Useful lives and residual values are reviewed at each year end. Construction in progress is carried at cost and transferred when it is ready for use, not when the last invoice has come in.',
  ],
  [
    'Borrowing costs',
    'Borrowing costs that relate directly to building or making an asset which takes more than a year to get ready are added to its cost, from the day on which expenditure, borrowing and work have all begun. They stop when the asset is ready, and pause when work is interrupted for more than three months in a row for reasons out of the ordinary. All other borrowing costs are expensed.',
  ],
  [
    'Intangible assets and research',
    'Land use rights are amortised over the term of the certificate, software over five years, patents over the shorter of their legal life and ten years. Expenditure on research is expensed as it is incurred. Expenditure on development is recognised as an asset only when it can be shown that the work can be completed, that the Group means to use or sell the result, that it will bring benefits, that the means to finish it are there, and that the expenditure can be measured reliably.',
  ],
  [
    'Impairment of long-term assets',
    'At each balance sheet date the Group looks for signs that a long-term asset may be impaired. Where there are any, the recoverable amount is estimated: the higher of fair value less costs of disposal and the present value of future cash flows. Assets that bring in no cash on their own are tested together with the group of assets to which they belong. An impairment loss on a long-term asset is never reversed.',
  ],
  [
    'Employee benefits',
    'Wages, bonuses, social insurance and housing funds are recognised in the period in which the employee has rendered the service. Contributions to the basic pension insurance are paid to the local authority; the Group has no obligation beyond them. Termination benefits are recognised when the Group can no longer withdraw the offer. The employee share plan buys its shares on the market and does not change the number of shares outstanding.',
  ],
  [
    'Provisions',
    'A provision is recognised when there is a present obligation from a past event, when an outflow is probable and when the amount can be estimated reliably. It is measured at the best estimate, discounted where the time value of money is material. Amounts that a third party will reimburse are recognised separately and only when receipt is virtually certain.',
  ],
  [
    'Revenue',
    'Revenue is recognised when the customer gains control of the promised goods or services, at the transaction price, net of discounts, returns and value added tax. Where a contract holds several promises, the price is divided by their stand-alone selling prices. Services that the customer receives and consumes at the same time are recognised over time. Advance payments are shown under other current liabilities. Costs to obtain a contract are expensed when the term is a year or less.',
  ],
  [
    'Government grants',
    'Grants are recognised when the conditions are met and payment is assured. Grants for assets are recorded as deferred income and released over the life of the asset. Grants for costs are taken to other income in the period of the costs. Grants that have nothing to do with ordinary activities go to non-operating income.',
  ],
  [
    'Income tax',
    'Current tax is the amount expected to be paid for the year at the rates in force at the balance sheet date. Deferred tax is recognised on temporary differences between the carrying amounts of assets and liabilities and their tax bases. Deferred tax assets are recognised as far as future taxable profit is probable, and examined again at each year end.',
  ],
  [
    'Leases',
    'As a lessee the Group recognises a right-of-use asset and a lease liability on the day on which the asset is made available. Leases of no more than twelve months and of items of low value are expensed on a straight-line basis. As a lessor the Group has operating leases only, whose rent is recognised evenly over the term.',
  ],
  [
    'Judgements and estimates',
    'The statements call for judgements about the useful lives of assets, the losses to be expected on receivables, the net realisable value of stocks, the cost of warranties and the recoverability of deferred tax assets. Estimates rest on experience and on what is known when the statements are approved; results may differ from them. There were no changes in accounting policies or estimates in the year, and no correction of earlier errors.',
  ],
]
