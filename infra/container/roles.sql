-- Run once by the PostgreSQL image, as its superuser, when the data volume is new. The schema comes later,
-- from `fieldlog migrate` as the owner.
\getenv owner_password FIELDLOG_OWNER_PASSWORD
\getenv service_password FIELDLOG_SERVICE_PASSWORD

CREATE ROLE fieldlog_service NOLOGIN;
CREATE ROLE fieldlog_backup NOLOGIN BYPASSRLS;
CREATE ROLE fieldlog_owner LOGIN CREATEDB CREATEROLE PASSWORD :'owner_password';
CREATE ROLE fieldlog LOGIN PASSWORD :'service_password' IN ROLE fieldlog_service;
GRANT fieldlog_service TO fieldlog_owner WITH ADMIN OPTION;
CREATE DATABASE fieldlog OWNER fieldlog_owner;
