-- Pattern 3: the document, rebuilt from its tables whenever one of them has changed. Every join has the client. An item has
-- its own row of partners and business data, or the header's (POSNR 000000); the flow is added up before it is joined.
CREATE MATERIALIZED VIEW silver_sd_sales_order
CLUSTER BY (mandt_vbak, vbeln_vbak, posnr_vbap)
COMMENT 'Sales orders, one row an item'
AS SELECT
  vbak.mandt AS mandt_vbak,
  vbak.vbeln AS vbeln_vbak,
  vbap.posnr AS posnr_vbap,
  vbak.kunnr AS kunnr_vbak,
  vbak.vdatu AS vdatu_vbak,
  vbap.matnr AS matnr_vbap,
  vbap.werks AS werks_vbap,
  vbap.abgru AS abgru_vbap,
  vbap.kwmeng AS kwmeng_vbap,
  vbap.meins AS meins_vbap,
  vbap.umvkz AS umvkz_vbap,
  vbap.umvkn AS umvkn_vbap,
  vbap.netwr AS netwr_vbap,
  vbap.waerk AS waerk_vbap,
  coalesce(own_partner.kunnr, header_partner.kunnr) AS kunnr_vbpa,
  CASE WHEN own_partner.vbeln IS NULL AND header_partner.vbeln IS NULL THEN 'PARTNER_MISSING' END AS reason_vbpa,
  if(own_data.vbeln IS NULL, header_data.zterm, own_data.zterm) AS zterm_vbkd,
  if(own_data.vbeln IS NULL, header_data.inco1, own_data.inco1) AS inco1_vbkd,
  coalesce(flow.delivered, 0) AS delivered_vbfa,
  coalesce(flow.billed, 0) AS billed_vbfa,
  CAST(NULL AS STRING) AS reason_vbfa,
  vbuk.gbstk AS gbstk_vbak,
  CASE WHEN vbuk.vbeln IS NOT NULL THEN 'VBUK' END AS status_source,
  vbup.gbsta AS gbsta_vbap,
  greatest(
    vbak.event_ts,
    vbap.event_ts,
    if(own_partner.vbeln IS NULL, header_partner.event_ts, own_partner.event_ts),
    if(own_data.vbeln IS NULL, header_data.event_ts, own_data.event_ts),
    flow.event_ts,
    vbuk.event_ts,
    vbup.event_ts
  ) AS event_ts
FROM vbak_cur AS vbak
JOIN vbap_cur AS vbap ON vbap.mandt = vbak.mandt AND vbap.vbeln = vbak.vbeln
LEFT JOIN vbpa_cur AS own_partner
  ON own_partner.mandt = vbap.mandt AND own_partner.vbeln = vbap.vbeln AND own_partner.posnr = vbap.posnr AND own_partner.parvw = 'WE'
LEFT JOIN vbpa_cur AS header_partner
  ON header_partner.mandt = vbap.mandt AND header_partner.vbeln = vbap.vbeln AND header_partner.posnr = '000000' AND header_partner.parvw = 'WE'
LEFT JOIN vbkd_cur AS own_data
  ON own_data.mandt = vbap.mandt AND own_data.vbeln = vbap.vbeln AND own_data.posnr = vbap.posnr
LEFT JOIN vbkd_cur AS header_data
  ON header_data.mandt = vbap.mandt AND header_data.vbeln = vbap.vbeln AND header_data.posnr = '000000'
LEFT JOIN (
  SELECT mandt, vbelv, posnv,
    sum(CASE WHEN vbtyp_n = 'J' THEN quantity END) AS delivered,
    sum(CASE WHEN vbtyp_n IN ('M', 'N') THEN quantity END) AS billed,
    max(event_ts) AS event_ts
  FROM (
    SELECT *, CASE WHEN plmin = '-' OR vbtyp_n = 'N' THEN -rfmng ELSE rfmng END AS quantity
    FROM vbfa_cur
    WHERE vbtyp_n = 'J' AND stufe = '00' OR vbtyp_n IN ('M', 'N'))
  GROUP BY mandt, vbelv, posnv
) AS flow ON flow.mandt = vbap.mandt AND flow.vbelv = vbap.vbeln AND flow.posnv = vbap.posnr
LEFT JOIN vbuk_cur AS vbuk ON vbuk.mandt = vbak.mandt AND vbuk.vbeln = vbak.vbeln
LEFT JOIN vbup_cur AS vbup ON vbup.mandt = vbap.mandt AND vbup.vbeln = vbap.vbeln AND vbup.posnr = vbap.posnr;
